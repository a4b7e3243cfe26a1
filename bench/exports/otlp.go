// SPDX-License-Identifier: MIT
// go run otlp.go FILE: decodes an export by OpenTelemetry's own package.
package main

import (
	"fmt"
	"os"

	"go.opentelemetry.io/collector/pdata/pprofile"
)

func main() {
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	profiles, err := (&pprofile.ProtoUnmarshaler{}).UnmarshalProfiles(data)
	if err != nil {
		panic(err)
	}
	text, err := (&pprofile.JSONMarshaler{}).MarshalProfiles(profiles)
	if err != nil {
		panic(err)
	}
	fmt.Println(profiles.SampleCount(), "samples")
	os.Stdout.Write(text)
}
