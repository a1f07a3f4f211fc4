// What is left to do by hand: steps, and the values that belong to them.

import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../host/context.ts';
import { copyText } from '../inspect/copy-text.ts';
import { type SettingWords, settingLines } from './setting-words.ts';

interface Props {
  readonly steps: readonly string[];
  readonly settings: readonly SettingWords[];
  readonly name: string;
  readonly isNext: boolean;
}

/** Draws them, folded until there is a file to do them with: before that the report comes first. */
export function Steps({ steps, settings, name, isNext }: Props) {
  const place = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isNext) place.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isNext]);
  return (
    <details class="lf-box lf-todo" ref={place} open={isNext}>
      <summary>
        <i class="fa-solid fa-list-check" aria-hidden="true" />
        {t`Your steps in ${name}`} <span class="lf-number">{steps.length}</span>
      </summary>
      <ol class="lf-steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {settings.length === 0 ? null : <Settings settings={settings} name={name} />}
    </details>
  );
}

function Settings({ settings, name }: Pick<Props, 'settings' | 'name'>) {
  return (
    <section class="lf-settings-there">
      <div class="lf-settings-head">
        <h4>{t`Settings in ${name}`}</h4>
        <button
          type="button"
          class="menu_button"
          onClick={() => void copyText(settingLines(settings).join('\n'))}
        >
          <i class="fa-solid fa-copy" aria-hidden="true" />
          <span>{t`Copy settings`}</span>
        </button>
      </div>
      <p class="lf-said">{t`These lorebooks go with these values. Set what the file could not bring along.`}</p>
      <dl class="lf-values">
        {settings.map((each) => (
          <div key={each.name}>
            <dt>{each.name}</dt>
            <dd>
              <code>{each.value}</code>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
