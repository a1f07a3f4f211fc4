// A charx of Lumiverse's once its card holds the lorebooks in SillyTavern's words: the world books beside the card would
// speak again, as they were before, wherever the file is read once more (decisions 7).

import { writeCardJson } from './containers/card-json.ts';
import { pathBeside, readBeside, withoutBeside } from './containers/charx.ts';
import type { ContainerRead } from './containers/container.ts';
import { isObject, withoutKey } from './core/json.ts';
import { MODULES_PATH, worldBooksOf } from './formats/lumiverse/modules.ts';

/**
 * The container without the world books beside its card; whatever else Lumiverse keeps there stays. The same container
 * when there are none.
 */
export function withoutWorldBooks(container: ContainerRead): ContainerRead {
  const beside = readBeside(container, MODULES_PATH);
  const modules = beside !== null && 'json' in beside ? beside.json : undefined;
  if (!isObject(modules) || worldBooksOf(modules).length === 0) return container;
  const rest = withoutKey(modules, 'world_books');
  const zip = new Map(withoutBeside(container, MODULES_PATH));
  // Their version alone says nothing.
  if (Object.keys(rest).length > 1) zip.set(pathBeside(container, MODULES_PATH), writeCardJson(rest));
  return { ...container, zip };
}
