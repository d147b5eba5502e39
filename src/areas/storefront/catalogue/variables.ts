import { inputOf } from '#panel'
import { type Html, html } from '#platform/pages/html.ts'
import type { OrderableProduct } from '#store'
import type { Visit } from '../visit.ts'

type Variable = OrderableProduct['orderForm']['variables'][number]

/** The prefix of the name of a variable's field, before the name of the variable. */
export const VARIABLE_PREFIX = 'env.'
/** Marks that the form shows a variable as a checkbox: an unticked one is not sent. */
const SWITCH_PREFIX = 'switch.'

const MAX_LENGTH = 2000

/** A value that the egg asks for, in the control that fits its rules, with what is wrong with it. */
export function variableField(
  { texts }: Visit,
  variable: Variable,
  { value, error }: { readonly value: string | undefined; readonly error: string | undefined },
): Html {
  const { name, description, required } = variable
  const id = VARIABLE_PREFIX + variable.env
  const said = required ? description : `${description} (${texts.product.optional})`
  const tie = html` id="${id}" name="${id}" aria-describedby="${id}-hint"${error ? html` aria-invalid="true"` : null}${required ? html` required` : null}`
  const note = error
    ? html`<p class="hint err" id="${id}-hint">${error}</p>`
    : html`<p class="hint" id="${id}-hint">${said}</p>`
  const input = inputOf(variable.rules)
  if (input.kind === 'switch' && variable.default !== '') {
    const isOn = (value ?? variable.default) === '1'
    return html`<label class="switch"><input type="hidden" name="${SWITCH_PREFIX}${variable.env}" value="1"><input type="checkbox" id="${id}" name="${id}" value="1" aria-describedby="${id}-hint"${isOn ? html` checked` : null}><span>${name}</span></label>${note}`
  }
  return html`<label class="field"><span>${name}</span>${controlOf(variable, tie, value)}</label>${note}`
}

function controlOf(
  { rules, default: preset }: Variable,
  tie: Html,
  value: string | undefined,
): Html {
  const input = inputOf(rules)
  if (input.kind === 'choice' || input.kind === 'switch') {
    const values = input.kind === 'choice' ? input.values : ['1', '0']
    const chosen = value ?? preset
    const none = values.includes(chosen) ? null : html`<option value="">–</option>`
    return html`<select${tie}>${none}${values.map((it) => html`<option value="${it}"${it === chosen ? html` selected` : null}>${it}</option>`)}</select>`
  }
  const shared = html`${tie} value="${value ?? ''}" placeholder="${preset}" autocomplete="off"`
  if (input.kind === 'number') {
    const { min, max, isWhole } = input
    return html`<input type="number"${shared} step="${isWhole ? '1' : 'any'}"${min ? html` min="${min}"` : null}${max ? html` max="${max}"` : null}>`
  }
  const { maxLength = MAX_LENGTH, pattern } = input
  return html`<input${shared} maxlength="${Math.min(maxLength, MAX_LENGTH)}"${pattern ? html` pattern="${pattern}"` : null}>`
}

/** The values of variables in a form; a checkbox that is not ticked means no. */
export function environmentIn(form: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(form).flatMap(([name, value]) => {
    if (name.startsWith(SWITCH_PREFIX)) {
      const env = name.slice(SWITCH_PREFIX.length)
      return [[env, form[VARIABLE_PREFIX + env] === '1' ? '1' : '0'] as const]
    }
    if (!name.startsWith(VARIABLE_PREFIX) || value === '') return []
    return [[name.slice(VARIABLE_PREFIX.length), value] as const]
  })
  return Object.fromEntries(entries)
}
