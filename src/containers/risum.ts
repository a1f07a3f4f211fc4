// RisuAI's module file: a mark of two bytes, the length of what follows, and JSON of which each byte stands for
// another one; then the module's pictures, if it has any (RisuAI 460ecae2). The table of bytes is a fact of that format,
// as the MIT project risuai-workbench lists it; every `.risum` is written with it.

import { decodeBase64 } from './base64.ts';
import type { JsonRead } from './card-json.ts';
import { readJsonBytes } from './card-json.ts';
import type { Limits } from './limits.ts';

const MARK = [111, 0] as const;
const HEAD = 6;

const MEANT = /* @__PURE__ */ decodeBase64(
  /* @__PURE__ */ new TextEncoder().encode(
    'LPeEi8ll+7afrrMDLQFpdB/ko+zuXDQhk0oPauJiAp4inP08/HHHxq1ZZwVwbYpEEvokhl+v0XpHzv5QY91RBm8Y4FKoCZ1Wc0y4U2zDoA4Z' +
      'zz4NfgcyaEbqSPmZLqukSSBeVTU4DLzTsVgWeSgKGuHyzcQ526K6YHJ2fZXvf8jA3jeUv7UUgZIlRazn9WanKzZawRPjSzrojYMbfCewmkLr' +
      'h6rcVI54JtJXKdS3+C+PiXXwQXfCHv/YFRHlBJcX8zHQmwDXyrRPKjvZsmvaXaE/MGG9kT1O5t++TYKMHSMQmGT0hTN7kEO7qYjx1qUc9sxu' +
      'uVsLlu3V6cXLCKaAQA==',
  ),
);

/** Whether bytes begin as a module of RisuAI's does. */
export function isRisum(bytes: Uint8Array): boolean {
  return bytes.length > HEAD && MARK.every((mark, index) => bytes[index] === mark);
}

/** The JSON of a module; its pictures are left alone. Never throws. */
export function readRisum(bytes: Uint8Array, limits: Limits): JsonRead {
  const length = new DataView(bytes.buffer, bytes.byteOffset, HEAD).getUint32(2, true);
  if (length > bytes.length - HEAD) return { problem: 'is a RisuAI module that is cut off' };
  if (length > limits.cardTextBytes) return readJsonBytes(bytes.subarray(HEAD, HEAD + length), limits);
  const text = bytes.slice(HEAD, HEAD + length);
  for (let i = 0; i < text.length; i++) text[i] = MEANT[text[i] as number] as number;
  const read = readJsonBytes(text, limits);
  return 'problem' in read ? { problem: `is a RisuAI module whose text ${read.problem}` } : read;
}
