// SPDX-License-Identifier: MIT
// @ts-check
// Runs the page's script.  It lies among the data and is packed as they are;
// the page's policy names the checksums of this text and of that one.
(async () => {
	const { atob, Blob, DecompressionStream, document, Response } =
		/** @type {any} */ (globalThis);
	const packed = document.querySelector('[data-code=script]').textContent;
	const bytes = Uint8Array.from(atob(packed),
		(/** @type {string} */ c) => c.charCodeAt(0));
	const plain = new Blob([bytes]).stream()
		.pipeThrough(new DecompressionStream('deflate-raw'));
	const script = document.createElement('script');
	script.textContent = await new Response(plain).text();
	document.body.append(script);
	script.remove(); // a copy of the page has it packed
})();
