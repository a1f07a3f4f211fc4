// A stand-in for SillyTavern's server, as far as src/host talks to it. Facts: SillyTavern 1.19, src/endpoints.

import { vi } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';

/** What the server holds, and how it misbehaves. */
export interface FakeServer {
  readonly worlds: Map<string, JsonObject>;
  /** Avatar file name -> the card's JSON as it stands in the file. */
  readonly cards: Map<string, JsonObject>;
  /** Every request, in order. */
  readonly requests: { readonly path: string; readonly body: JsonObject }[];
  /** Whether merging knows several characters at once and takes keys out, as 1.19 does; 1.16 does not. */
  mergesInBulk: boolean;
  /** Path -> what is answered instead. */
  readonly instead: Map<string, (body: JsonObject) => Response | undefined>;
}

/** Puts the server behind the global `fetch`. */
export function startFakeServer(): FakeServer {
  const server: FakeServer = {
    worlds: new Map(),
    cards: new Map(),
    requests: [],
    mergesInBulk: true,
    instead: new Map(),
  };
  vi.stubGlobal('fetch', async (input: unknown, init?: { body?: unknown }) => {
    const path = String(input);
    const body = JSON.parse(String(init?.body)) as JsonObject;
    server.requests.push({ path, body });
    return server.instead.get(path)?.(body) ?? answer(server, path, body);
  });
  return server;
}

function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json' } });
}

function answer(server: FakeServer, path: string, body: JsonObject): Response {
  const name = String(body['name'] ?? '');
  switch (path) {
    case '/api/worldinfo/list':
      return json(
        [...server.worlds].map(([file_id, data]) => ({
          file_id,
          name: data['name'] ?? file_id,
          extensions: data['extensions'] ?? {},
        })),
      );
    case '/api/settings/get':
      return json({ settings: '{}', world_names: [...server.worlds.keys()] });
    case '/api/worldinfo/get':
      return json(server.worlds.get(name) ?? { entries: {} });
    case '/api/worldinfo/edit':
      server.worlds.set(name, body['data'] as JsonObject);
      return json({ ok: true });
    case '/api/worldinfo/delete':
      if (!server.worlds.delete(name))
        return new Response('<!DOCTYPE html><pre>Error: at stack</pre>', { status: 500 });
      return new Response('OK');
    case '/api/files/sanitize-filename':
      return json({ fileName: String(body['fileName']).replace(/[/?<>\\:*|"]/g, '') });
    case '/api/characters/get':
      return character(server, String(body['avatar_url']));
    case '/api/characters/merge-attributes':
      return merge(server, body);
    default:
      return new Response('not found', { status: 404 });
  }
}

function character(server: FakeServer, avatar: string): Response {
  const card = server.cards.get(avatar);
  if (!card) return new Response('Not Found', { status: 404 });
  // A card without `spec` is shown converted, its own `data` thrown away (convertToV2).
  const view = card['spec'] === undefined ? { ...card, spec: 'chara_card_v2', data: v2Data(card) } : card;
  return json({ ...view, avatar, json_data: JSON.stringify(card) });
}

function v2Data(card: JsonObject): JsonObject {
  return {
    name: card['name'],
    description: card['description'] ?? '',
    extensions: { world: '', talkativeness: 0.5 },
  };
}

const V1 = ['name', 'description', 'personality', 'scenario', 'first_mes', 'mes_example'];

function merge(server: FakeServer, body: JsonObject): Response {
  const { avatars } = body;
  if (server.mergesInBulk && Array.isArray(avatars)) {
    const done = (avatars as string[]).map(
      (avatar) => [avatar, mergeOne(server, avatar, body['data'] as JsonObject)] as const,
    );
    const ids = (isDone: boolean) => done.filter(([, fault]) => (fault === '') === isDone).map(([id]) => id);
    return json({ updated: ids(true), skipped: [], failed: ids(false) });
  }
  if (body['avatar'] === undefined) return json({ message: 'Unexpected error while saving character.' }, 500);
  const fault = mergeOne(server, String(body['avatar']), body);
  if (fault === 'none') return new Response('Error: invalid character file.', { status: 400 });
  if (fault !== '') return json({ message: `Validation failed for ${body['avatar']}`, error: fault }, 400);
  return new Response('OK');
}

function mergeOne(server: FakeServer, avatar: string, body: JsonObject): string {
  const card = server.cards.get(avatar);
  if (!card) return 'none';
  const merged = deepMerge(card, body) as Record<string, JsonObject[string]>;
  if (server.mergesInBulk) unset(merged, body);
  const missing = V1.find((field) => !Object.hasOwn(merged, field));
  if (missing && merged['spec'] !== 'chara_card_v3') return missing;
  server.cards.set(avatar, merged);
  return '';
}

// src/util.js: what is merged into null, a text or a list becomes an empty object.
function deepMerge(target: unknown, source: unknown): JsonObject {
  const output: Record<string, JsonObject[string]> = { ...(isPlain(target) ? target : {}) };
  if (!isPlain(target) || !isPlain(source)) return output;
  for (const [key, value] of Object.entries(source)) {
    output[key] = isPlain(value) && Object.hasOwn(target, key) ? deepMerge(target[key], value) : value;
  }
  return output;
}

// src/endpoints/characters.js, processUnsetSentinels (1.19)
function unset(target: Record<string, JsonObject[string]>, source: JsonObject): void {
  for (const [key, value] of Object.entries(source)) {
    const held = target[key];
    if (value === '__@@UNSET@@__') delete target[key];
    else if (isPlain(value) && isPlain(held)) {
      const copy = { ...held };
      unset(copy, value);
      target[key] = copy;
    }
  }
}

function isPlain(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
