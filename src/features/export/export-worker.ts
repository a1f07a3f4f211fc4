// The worker in which exports are made: a conversion of thousands of entries would hold up the page for seconds.

import type { DeskAnswer, DeskQuestion } from './export-desk.ts';
import { exportWork } from './export-work.ts';

/** What of a worker's own global is used; TypeScript knows this file as a part of the page. */
interface WorkerScope {
  onmessage: ((event: { readonly data: DeskQuestion }) => void) | null;
  postMessage(message: DeskAnswer, transfer: ArrayBuffer[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const work = exportWork();

scope.onmessage = ({ data }) => {
  const { id } = data;
  try {
    const value = answer(data);
    if (!('files' in value)) return scope.postMessage({ id, value }, []);
    // Copied first: what is handed over is gone from here, and a file may share its bytes with the picture.
    const files = value.files.map((file) => ({ ...file, bytes: file.bytes.slice() }));
    scope.postMessage(
      { id, value: { ...value, files } },
      files.map(({ bytes }) => bytes.buffer),
    );
  } catch (error) {
    scope.postMessage({ id, error: error instanceof Error ? error.message : String(error) }, []);
  }
};

function answer(question: DeskQuestion) {
  switch (question.ask) {
    case 'open':
      return work.open(question.file);
    case 'offer':
      return work.offer(question.worlds, question.around);
    case 'convert':
      return work.convert(question.choices);
  }
}
