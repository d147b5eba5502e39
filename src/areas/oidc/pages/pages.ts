import { type SignInTexts, signInTexts } from '#notifications'
import type { PageDocument } from '#platform/pages/document.ts'
import { field, notice } from '#platform/pages/fields.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { icon } from '#platform/pages/icons.ts'
import { pageOf, type Setting } from './layout.ts'

/** A sign-in under way: its URL at our provider, the application, and where it may end. */
export type Interaction = { address: string; application: string; leadsTo: readonly string[] }

export type LoginFault = 'wrong' | 'unconfirmed' | 'suspended' | 'wrongPasskey'

/** Asks for address and password; `sent` after the link that confirms an address was requested. */
export function loginPage(
  setting: Setting,
  { address, application, leadsTo }: Interaction,
  { email = '', fault, sent = false }: { email?: string; fault?: LoginFault; sent?: boolean },
): PageDocument {
  const texts = signInTexts(setting.locale)
  const resend =
    fault === 'unconfirmed'
      ? html`<form class="below" method="post" action="${address}/send-link"><input type="hidden" name="email" value="${email}"><button class="button plain full">${texts.sendLink}</button></form>`
      : null
  const body = html`${fault ? notice({ tone: 'failed', title: texts[fault] }) : null}${resend}
${sent ? sentNotice(texts.linkAsked) : null}
<form class="sheet pad stack md below" method="post" action="${address}/login">
${field({ id: 'email', label: texts.email, type: 'email', autocomplete: 'username', value: email, maxLength: 254, required: true })}
${field({ id: 'password', label: texts.password, type: 'password', autocomplete: 'current-password', required: true })}
<button class="button">${texts.signIn}</button>
</form>
${passkeyForm(address, texts, null)}
${decisionForm(`${address}/cancel`, texts.cancel)}`
  const lead = texts.toContinue(application)
  return pageOf(setting, { title: texts.signIn, lead, body, leadsTo, scripted: true })
}

type SecondStep = {
  /** Identifies the sign-in whose password was right. */
  token: string
  /** Which second factors the person has: codes, a passkey, or both. */
  codes: boolean
  passkey: boolean
  wrong?: boolean
}

/** Asks for the second factor of a sign-in. A person who has only passkeys sees a notice that they need scripts. */
export function codePage(
  setting: Setting,
  { address, leadsTo }: Interaction,
  { token, codes, passkey, wrong = false }: SecondStep,
): PageDocument {
  const texts = signInTexts(setting.locale)
  const codeForm = html`${wrong ? notice({ tone: 'failed', title: texts.wrongCode }) : null}
<form class="sheet pad stack md below" method="post" action="${address}/code"><input type="hidden" name="mfaToken" value="${token}">
${passkey ? html`<input type="hidden" name="passkey" value="1">` : null}
${field({ id: 'code', label: texts.code, autocomplete: 'one-time-code', maxLength: 50, required: true })}
<button class="button">${texts.signIn}</button>
</form>`
  const body = html`${codes ? codeForm : html`<p data-without-passkey>${texts.secondFactor}</p>`}
${passkey ? passkeyForm(address, texts, token) : null}
<p class="mid below"><a href="${address}">${texts.startAgain}</a></p>
${decisionForm(`${address}/cancel`, texts.cancel)}`
  const lead = codes ? texts.codeBody : null
  return pageOf(setting, { title: texts.codeTitle, lead, body, leadsTo, scripted: passkey })
}

/** Asks a person to confirm their address; `sent` after the link was requested. */
export function confirmEmailPage(
  setting: Setting,
  { address, application, leadsTo }: Interaction,
  { email, sent = false }: { email: string; sent?: boolean },
): PageDocument {
  const texts = signInTexts(setting.locale)
  const body = html`${sent ? sentNotice(texts.linkSent) : null}
${decisionForm(`${address}/confirm`, texts.sendLink, { isMain: !sent })}
${decisionForm(`${address}/continue`, texts.isConfirmed, { isMain: sent })}
${decisionForm(`${address}/cancel`, texts.cancel)}`
  const lead = texts.confirmBody(application, email)
  return pageOf(setting, { title: texts.confirmTitle, lead, body, leadsTo })
}

/** Asks whether an application may have what it requests. */
export function consentPage(
  setting: Setting,
  { address, application, leadsTo }: Interaction,
  { email, scopes }: { email: string; scopes: readonly string[] },
): PageDocument {
  const texts = signInTexts(setting.locale)
  const wanted = scopes.map(
    (scope) =>
      html`<li class="row">${icon('check', 16)}<span>${texts.scopes[scope] ?? scope}</span></li>`,
  )
  const body = html`<ul class="sheet pad stack">${wanted}</ul>
${decisionForm(`${address}/consent`, texts.allow, { isMain: true })}
${decisionForm(`${address}/cancel`, texts.deny)}`
  const lead = texts.signedInAs(email)
  return pageOf(setting, { title: texts.consent(application), lead, body, leadsTo })
}

type Logout = { action: string; token: string; leadsTo: readonly string[] }

/** Asks whether to sign out of the shop as well. */
export function logoutPage(setting: Setting, { action, token, leadsTo }: Logout): PageDocument {
  const texts = signInTexts(setting.locale)
  const body = html`<form class="stack" method="post" action="${action}"><input type="hidden" name="xsrf" value="${token}">
<button class="button" name="logout" value="yes">${texts.signOut}</button>
<button class="button plain">${texts.stay}</button></form>`
  const lead = texts.askSignOut(setting.brand.name)
  return pageOf(setting, { title: texts.signOut, lead, body, leadsTo })
}

/**
 * Continues a logout that needs no question: nobody is signed in, or (`otherAccount`) another person
 * has just signed in instead.
 */
export function proceedPage(
  setting: Setting,
  { action, token, leadsTo }: Logout,
  otherAccount: boolean,
): PageDocument {
  const texts = signInTexts(setting.locale)
  const [title, lead] = otherAccount
    ? [texts.otherAccount, texts.otherAccountBody]
    : [texts.signedOut, null]
  const body = html`<form class="stack" method="post" action="${action}"><input type="hidden" name="xsrf" value="${token}">
<button class="button" name="logout" value="yes">${texts.proceed}</button></form>`
  return pageOf(setting, { title, lead, body, leadsTo })
}

/** Says that the person is signed out. */
export function signedOutPage(setting: Setting): PageDocument {
  const texts = signInTexts(setting.locale)
  return pageOf(setting, { title: texts.signedOut, lead: texts.signedOutBody, body: html`` })
}

type Failure = { error: string; error_description?: string | undefined }

/** Says that a request cannot be answered, with the reason for the application's developer. */
export function errorPage(setting: Setting, { error, error_description }: Failure): PageDocument {
  const texts = signInTexts(setting.locale)
  const reason = error_description ? `${error}: ${error_description}` : error
  const body = html`<p class="sub">${texts.reason} ${reason}</p>`
  return pageOf(setting, { title: texts.failed, lead: texts.failedBody, body })
}

/** Says in a sentence why one of our pages cannot go on. */
export function problemPage(setting: Setting, statusCode: number): PageDocument {
  const texts = signInTexts(setting.locale)
  const sentence =
    statusCode === 429 ? texts.tooMany : statusCode === 403 ? texts.foreign : texts.expired
  const body = html`<p role="alert">${sentence}</p>`
  return pageOf(setting, { title: texts.failed, lead: texts.failedBody, body })
}

/** Confirms that a link was sent. */
function sentNotice(text: string): Html {
  return html`<div class="notice t-active big" role="status">${icon('check', 16)}<p>${text}</p></div>`
}

/** A form that the script shows and fills; it stays invisible without scripts. */
function passkeyForm(address: string, texts: SignInTexts, token: string | null): Html {
  return html`<form class="stack s8 below" method="post" action="${address}/passkey" hidden><input type="hidden" name="response" value="">
${token === null ? null : html`<input type="hidden" name="mfaToken" value="${token}">`}
<button type="button" class="button plain" hidden data-passkey>${icon('key', 17)}${texts.usePasskey}</button>
<p class="sub" role="alert" hidden data-passkey-failed>${texts.passkeyFailed}</p></form>`
}

/** A form that is one button; the main one of a page has the colour of the brand. */
function decisionForm(action: string, label: string, { isMain = false } = {}): Html {
  return html`<form class="below" method="post" action="${action}"><button class="button full${isMain ? '' : ' plain'}">${label}</button></form>`
}
