// A page on which a part of the panel is drawn: fakes of the client and the server behind it, a place to draw in, and the
// plans that its buttons propose.

import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, vi } from 'vitest';
import type { ChangePlan } from '../../src/features/inspect/change-plan.ts';
import { startFakeClient } from '../host/fake-client.ts';
import { type FakeServer, startFakeServer } from '../host/fake-server.ts';

/** What a test has of the page; all of it is new for each test. */
export interface PanelPage {
  readonly server: FakeServer;
  readonly place: HTMLElement;
  readonly plans: readonly ChangePlan[];
  readonly propose: (plan: ChangePlan) => Promise<void>;
  /** The first button that is called so. */
  readonly button: (name: RegExp) => HTMLButtonElement;
  readonly press: (name: RegExp) => void;
}

/** Sets the page up before each test of the file, and takes it down behind it. Needs jsdom. */
export function panelPage(): PanelPage {
  let server: FakeServer;
  let place: HTMLElement;
  let plans: ChangePlan[];
  beforeEach(() => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    server = startFakeServer();
    startFakeClient({ extensionSettings: {} });
    place = document.createElement('div');
    document.body.append(place);
    plans = [];
  });
  afterEach(() => {
    render(null, place);
    place.remove();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  const button = (name: RegExp): HTMLButtonElement => {
    const found = [...place.querySelectorAll('button')].find((each) => name.test(each.textContent ?? ''));
    if (!found) throw new Error(`no button ${name}`);
    return found;
  };
  return {
    button,
    press: (name) => {
      void act(() => button(name).click());
    },
    get server() {
      return server;
    },
    get place() {
      return place;
    },
    get plans() {
      return plans;
    },
    propose: async (plan) => {
      plans.push(plan);
    },
  };
}
