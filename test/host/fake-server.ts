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
  /** Path -> what is answered instead. */
  readonly instead: Map<string, (body: JsonObject) => Response | undefined>;
}

/** Puts the server behind the global `fetch`. */
export function startFakeServer(): FakeServer {
  const server: FakeServer = { worlds: new Map(), cards: new Map(), requests: [], instead: new Map() };
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
  const avatar = String(body['avatar']);
  const card = server.cards.get(avatar);
  if (!card) return new Response('Error: invalid character file.', { status: 400 });
  const merged = deepMerge(card, body);
  const missing = V1.find((field) => !Object.hasOwn(merged, field));
  if (missing && merged['spec'] !== 'chara_card_v3') {
    return json({ message: `Validation failed for ${avatar}`, error: missing }, 400);
  }
  server.cards.set(avatar, merged);
  return new Response('OK');
}

function deepMerge(target: JsonObject, source: JsonObject): JsonObject {
  const output: Record<string, JsonObject[string]> = { ...target };
  for (const [key, value] of Object.entries(source)) {
    const old = target[key];
    const both = isPlain(value) && Object.hasOwn(target, key);
    output[key] = both ? deepMerge(isPlain(old) ? old : {}, value) : value;
  }
  return output;
}

function isPlain(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
