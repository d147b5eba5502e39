import type { PageDocument } from '#platform/pages/document.ts'
import { field, notice } from '#platform/pages/fields.ts'
import { html } from '#platform/pages/html.ts'
import { quietPage } from '../parts/frames.ts'
import type { Visit } from '../visit.ts'
import { accountPage } from './pages.ts'

type Verify = {
  readonly token: string
  /** The address whose account is confirmed with its password; null if the token is enough. */
  readonly email: string | null
  readonly wrong?: boolean
}

/** Confirms an address by a button, because mail scanners open links: opening a link does not use it up. */
export function verifyPage(visit: Visit, { token, email, wrong = false }: Verify): PageDocument {
  const { account } = visit.texts
  const shown =
    email === null
      ? null
      : html`${field({ id: 'email', label: account.email, type: 'email', autocomplete: 'username', value: email, readonly: true })}
${field({ id: 'password', label: account.password, type: 'password', autocomplete: 'current-password', required: true, error: wrong ? account.passwordWrong : undefined })}`
  return accountPage(visit, {
    title: account.verifyTitle,
    lead: email === null ? account.verifyLead : account.verifyWithPassword,
    body: html`<form class="sheet pad stack md" method="post" action="/verify"><input type="hidden" name="token" value="${token}">${shown}<button class="button">${account.verify}</button>${email === null ? null : html`<a class="mid" href="/forgot">${account.forgot}</a>`}</form>`,
  })
}

/** Says that a confirmation link was sent if the account is new; what the visitor was doing continues after it. */
export function confirmFirstPage(
  visit: Visit,
  { email, next, orders }: { email: string; next: string; orders: boolean },
): PageDocument {
  const { account, checkout } = visit.texts
  const onward = new URLSearchParams({ next }).toString()
  return quietPage(visit, {
    ...{ title: account.sentTitle, main: 'small' },
    body: html`<div class="intro"><h1>${account.sentTitle}</h1><p class="dim">${account.confirmSent(email)}</p></div>
${orders ? notice({ tone: 'attention', title: checkout.kept }) : null}
<p class="mid below"><a href="/verify/resend">${account.resend}</a></p>
<p class="dim mid below">${account.haveAccount} <a href="/sign-in?${onward}">${account.submit}</a></p>`,
  })
}

/** Asks for the address to send the confirmation link to again. */
export function resendPage(visit: Visit): PageDocument {
  const { account } = visit.texts
  return accountPage(visit, {
    ...{ title: account.verifyTitle, lead: account.resendLead },
    body: html`<form class="sheet pad stack md" method="post" action="/verify/resend">${field({ id: 'email', label: account.email, type: 'email', autocomplete: 'username', maxLength: 254, required: true })}<button class="button">${account.send}</button><a class="mid" href="/sign-in">${account.backToSignIn}</a></form>`,
  })
}
