import { findAccount, findCard, TEST_ACCOUNTS, TEST_CARDS } from '../cards.ts'
import { invalid } from '../errors.ts'
import { type Html, html } from './html.ts'

/** The field in which a page asks for a test card, or a test account. */
export function cardField(): Html {
  const choices = [...TEST_CARDS, ...TEST_ACCOUNTS].map(
    ({ number, label }) => html`<option value="${number}">${label}: ${number}</option>\n`,
  )
  return html`<label>Test card <select name="card">
${choices}</select></label>`
}

/** A test number from a form. 400 for any other, which is not repeated. */
export function readNumber(text: unknown): string {
  const number = typeof text === 'string' ? text.replace(/[ -]/g, '') : ''
  if (findCard(number) || findAccount(number)) return number
  throw invalid('The sandbox takes its test cards only. Never enter a real card.', {
    param: 'card',
  })
}
