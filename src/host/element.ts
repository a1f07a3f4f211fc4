// Elements, made of text nodes only. Names and texts come out of cards, so nothing here ever reads HTML.

/** What an element is made with. */
export interface ElementOptions {
  readonly id?: string;
  readonly class?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly onClick?: (event: MouseEvent) => void;
}

/**
 * Makes an element.
 *
 * @param tag its tag name
 * @param options its id, class, text, attributes and click
 * @param children put after the text
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  options: ElementOptions = {},
  ...children: readonly Node[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (options.id) made.id = options.id;
  if (options.class) made.className = options.class;
  if (options.text) made.append(document.createTextNode(options.text));
  for (const [name, value] of Object.entries(options.attributes ?? {})) made.setAttribute(name, value);
  if (options.onClick) made.addEventListener('click', options.onClick as EventListener);
  made.append(...children);
  return made;
}

/**
 * Keeps the Enter key to the browser within an element. SillyTavern clicks every `.menu_button` that has the
 * focus when Enter comes up to the document, without stopping the browser from doing so too
 * (public/scripts/keyboard.js, handleGlobalKeyDown; 1.13 to 1.19): a real `<button class="menu_button">` would
 * be pressed twice.
 *
 * @param root our element; the same one is handed back
 */
export function keepEnter<Root extends HTMLElement>(root: Root): Root {
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.target instanceof Element)) return;
    if (event.target.closest('button, a[href], summary')) event.stopPropagation();
  });
  return root;
}
