import type { PageDocument } from '#platform/pages/document.ts'
import { field, notice } from '#platform/pages/fields.ts'
import { html } from '#platform/pages/html.ts'
import { messagePage, quietPage } from '../parts/frames.ts'
import type { Visit } from '../visit.ts'

export type NewOwner = { readonly name: string; readonly email: string }

type Form = {
  readonly values: NewOwner
  readonly errors?: Readonly<Record<string, string>>
  /** An error that does not belong to a field. */
  readonly message?: string | null
}

/** Asks for the first administrator. The token is in a cookie, so nothing on the page shows it. */
export function ownerPage(
  visit: Visit,
  { values, errors = {}, message = null }: Form,
): PageDocument {
  const { account, setup } = visit.texts
  return quietPage(visit, {
    ...{ title: setup.title, main: 'small' },
    body: html`<div class="intro"><h1>${setup.title}</h1><p class="dim">${setup.lead}</p></div>
${message ? notice({ tone: 'failed', title: message }) : null}
<form class="sheet pad stack md" method="post" action="/setup">
${field({ id: 'name', label: account.name, autocomplete: 'name', value: values.name, error: errors.name, required: true })}
${field({ id: 'email', label: account.email, type: 'email', autocomplete: 'username', hint: setup.emailHint, value: values.email, maxLength: 254, error: errors.email, required: true })}
${field({ id: 'password', label: account.password, type: 'password', autocomplete: 'new-password', hint: account.passwordHint, error: errors.password, required: true })}
<button class="button">${setup.submit}</button></form>
<p class="dim below">${setup.next}</p>`,
  })
}

/** Says where to find the link, and has a field to paste it. `isStale`: the link does not work. */
export function linkPage(visit: Visit, { isStale = false } = {}): PageDocument {
  const { setup } = visit.texts
  const fault = isStale
    ? notice({
        ...{ tone: 'failed', title: setup.staleTitle },
        body: html`<p>${setup.staleHint}</p>`,
      })
    : null
  return quietPage(visit, {
    ...{ title: setup.linkTitle, main: 'small' },
    body: html`<div class="intro"><h1>${setup.linkTitle}</h1><p class="dim">${setup.linkLead}</p></div>
${fault}
<ul><li>${setup.ownShop} <code>docker compose logs api</code></li><li>${setup.otherShop}</li></ul>
<form class="sheet pad stack md" method="post" action="/setup/link">
${field({ id: 'token', label: setup.link, autocomplete: 'off', hint: setup.linkHint, maxLength: 500, required: true, fromFragment: true })}
<button class="button">${setup.open}</button></form>`,
  })
}

/** The shop already has an administrator, so setup links no longer work. */
export function donePage(visit: Visit): PageDocument {
  const { account, setup } = visit.texts
  return messagePage(visit, {
    ...{ title: setup.doneTitle, lead: setup.doneLead },
    ...{ to: '/sign-in?next=%2Fadmin', link: account.submit },
  })
}
