// Arrays out of the block of bytes that the page carries: see arrays.py.

const VIEWS = { f8: Float64Array, i4: Int32Array, u1: Uint8Array };

export async function unpackBlock(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

export function arrayAt(buffer, [kind, place, size]) {
  return new VIEWS[kind](buffer, place, size);
}
