import type { PageDocument } from '#platform/pages/document.ts'
import { field } from '#platform/pages/fields.ts'
import type { FormFields } from '#platform/pages/form.ts'
import { html } from '#platform/pages/html.ts'
import type { Visit } from '../visit.ts'
import { messagePage, quietPage } from './frames.ts'

/** The page of a suspended shop: it shows nothing else. */
export function closedPage(visit: Visit): PageDocument {
  const { title, lead, contact } = visit.texts.closed
  const email = visit.contactAddress
  const reached = email
    ? html`<p class="dim">${contact} <a href="mailto:${email}">${email}</a></p>`
    : null
  return quietPage(visit, {
    ...{ title: title(visit.look.shop), main: 'small' },
    body: html`<div class="intro"><h1>${title(visit.look.shop)}</h1><p class="dim">${lead}</p>${reached}</div>`,
  })
}

/** Something failed, and the person can only try again. */
export function faultPage(visit: Visit, message: string | null): PageDocument {
  const { title, lead } = visit.texts.problem
  const { home } = visit.texts.missing
  return messagePage(visit, { title, lead: message ?? lead, to: '/', link: home })
}

/**
 * A form that was refused for now, with everything that was typed: it can be sent again as it is, except for the
 * password.
 */
export function retryPage(
  visit: Visit,
  { lead, action, fields }: { lead: string; action: string; fields: FormFields },
): PageDocument {
  const { problem, checkout, missing } = visit.texts
  const labels = labelsOf(visit)
  const typed = Object.entries(fields).map(([name, value]) => {
    const label = labels[name]
    if (label === undefined) return html`<input type="hidden" name="${name}" value="${value}">`
    const isPassword = name === 'password'
    return field({
      ...{ id: name, label, autocomplete: isPassword ? 'current-password' : 'on' },
      ...(isPassword ? { type: 'password' as const, required: true } : { value }),
    })
  })
  return quietPage(visit, {
    ...{ title: problem.title, main: 'small' },
    body: html`<div class="intro"><h1>${problem.title}</h1><p class="dim">${lead}</p></div>
<form class="sheet pad stack md" method="post" action="${action}">${typed}<button class="button">${checkout.again}</button></form>
<p class="mid below"><a href="/">${missing.home}</a></p>`,
  })
}

/** The labels of the fields that people type into. */
function labelsOf({ texts }: Visit): Readonly<Record<string, string>> {
  const { name, email, password, code } = texts.account
  const { street, postcode, city, company, vatNumber, phone } = texts.checkout
  const { quantity } = texts.product
  return {
    ...{ name, email, password, code, quantity },
    ...{ line1: street, postcode, city, company, vatNumber, phone },
  }
}
