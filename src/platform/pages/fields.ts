import { Html, html } from './html.ts'
import { type IconName, icon } from './icons.ts'

type Field = {
  id: string
  label: string
  type?: 'text' | 'email' | 'password' | 'number' | 'tel'
  autocomplete: string
  value?: string
  hint?: string | undefined
  error?: string | undefined
  placeholder?: string
  maxLength?: number
  inputMode?: 'numeric'
  className?: string
  required?: boolean
  autofocus?: boolean
  readonly?: boolean
  /** The script fills it with the URL fragment and submits its form. */
  fromFragment?: boolean
}

/** A field with its label above, its hint below and its error in place of the hint, all tied together. */
export function field(it: Field): Html {
  const { id, error, hint } = it
  const note = error ? `${id}-error` : hint ? `${id}-hint` : null
  return html`<div class="field ${it.className ?? ''}"><label for="${id}">${it.label}</label><input class="input" id="${id}" name="${id}" type="${it.type ?? 'text'}" autocomplete="${it.autocomplete}" value="${it.value ?? ''}" maxlength="${it.maxLength ?? 200}"${attribute('inputmode', it.inputMode)}${attribute('placeholder', it.placeholder)}${attribute('aria-describedby', note)}${error ? html` aria-invalid="true"` : null}${it.required ? html` required` : null}${it.autofocus ? html` autofocus` : null}${it.readonly ? html` readonly` : null}${it.fromFragment ? html` data-from-fragment` : null}>${error ? html`<span class="err" id="${id}-error">${error}</span>` : hint ? html`<span class="sub" id="${id}-hint">${hint}</span>` : null}</div>`
}

type NoteField = { id: string; label: string; value: string; maxLength: number }

/** A field for a text of several lines, with its label above. */
export function noteField({ id, label, value, maxLength }: NoteField): Html {
  return html`<div class="field"><label for="${id}">${label}</label><textarea class="input" id="${id}" name="${id}" rows="3" maxlength="${maxLength}">${value}</textarea></div>`
}

function attribute(name: string, value: string | null | undefined): Html | null {
  return value ? html` ${new Html(name)}="${value}"` : null
}

type Choice = { value: string; title: string; hint?: string; sign?: IconName }

/** A choice of one value among several, with large click targets. */
export function choices(name: string, list: readonly Choice[], chosen: string): Html {
  const items = list.map(
    ({ value, title, hint, sign }) =>
      html`<label class="choice"><input type="radio" name="${name}" value="${value}"${value === chosen ? html` checked` : null}><span><span class="strong">${title}</span>${hint ? html`<span class="sub">${hint}</span>` : null}</span>${sign ? icon(sign) : null}</label>`,
  )
  return html`<div class="stack s8">${items}</div>`
}

/** A list of countries by the names that the page's language has for them. */
export function countryField(
  { id, label, value }: { id: string; label: string; value: string },
  countries: readonly { code: string; name: string }[],
): Html {
  const options = countries.map(
    ({ code, name }) =>
      html`<option value="${code}"${code === value ? html` selected` : null}>${name}</option>`,
  )
  return html`<div class="field"><label for="${id}">${label}</label><select class="input" id="${id}" name="${id}" autocomplete="country">${options}</select></div>`
}

export type NoticeTone = 'failed' | 'attention' | 'active'
type Notice = { tone: NoticeTone; title: string; body?: Html | null }

/** What a person has to know before they go on. It takes the focus, so that it is read out. */
export function notice({ tone, title, body = null }: Notice): Html {
  return html`<div class="notice t-${tone} big" id="errors" tabindex="-1" role="alert">${icon('alert', 16)}<div><h2>${title}</h2>${body}</div></div>`
}
