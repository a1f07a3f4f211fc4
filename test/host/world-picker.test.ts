// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { takeFromWorldPicker } from '../../src/host/world-picker.ts';

const takes = vi.fn();
const sillytavern = vi.fn();
let picker: HTMLInputElement;
let stop = () => {};

beforeEach(() => {
  document.body.innerHTML = '<input type="file" id="world_import_file" accept=".json,.lorebook,.png">';
  picker = document.querySelector('#world_import_file') as HTMLInputElement;
  picker.addEventListener('change', sillytavern);
  stop = takeFromWorldPicker(['.zip', '.risum'], takes);
});
afterEach(() => {
  stop();
  takes.mockReset();
  sillytavern.mockReset();
});

function choose(...names: readonly string[]): void {
  const files = names.map((name) => new File(['x'], name));
  Object.defineProperty(picker, 'files', { value: files, configurable: true });
  picker.dispatchEvent(new Event('change', { bubbles: true }));
}

it('takes files of its endings, and SillyTavern hears nothing of them', () => {
  choose('Lore.ZIP');
  expect(takes.mock.calls).toEqual([[[expect.objectContaining({ name: 'Lore.ZIP' })]]]);
  expect(sillytavern).not.toHaveBeenCalled();
});

it.each([['Lore.json'], ['zip'], ['Lore.zip.json'], []])(
  'leaves the others to SillyTavern: %s',
  (...names) => {
    choose(...names);
    expect(takes).not.toHaveBeenCalled();
    expect(sillytavern).toHaveBeenCalledTimes(1);
  },
);

it('another picker of the page is none of its business', () => {
  const other = document.createElement('input');
  document.body.append(other);
  Object.defineProperty(other, 'files', { value: [new File(['x'], 'a.zip')] });
  other.dispatchEvent(new Event('change', { bubbles: true }));
  expect(takes).not.toHaveBeenCalled();
});

it('has the picker offer them, and leaves it as it was', () => {
  expect(picker.accept).toBe('.json,.lorebook,.png,.zip,.risum');
  stop();
  expect(picker.accept).toBe('.json,.lorebook,.png');
  choose('Lore.zip');
  expect(takes).not.toHaveBeenCalled();
});

it('a page without it is left alone', () => {
  document.body.innerHTML = '';
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  takeFromWorldPicker(['.zip'], takes)();
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});
