import { type SignInTexts, signInTexts } from '#notifications'
import { type Html, html } from '#platform/pages/html.ts'
import { type Page, pageOf, type Setting } from './layout.ts'

/** A sign-in under way: its URL at our provider, the application, and where it may end. */
export type Interaction = { address: string; application: string; leadsTo: readonly string[] }

export type LoginFault = 'wrong' | 'unconfirmed' | 'suspended' | 'wrongPasskey'

/** Asks for address and password; `sent` after the link that confirms an address was requested. */
export function loginPage(
  setting: Setting,
  { address, application, leadsTo }: Interaction,
  { email = '', fault, sent = false }: { email?: string; fault?: LoginFault; sent?: boolean },
): Page {
  const texts = signInTexts(setting.locale)
  const resend =
    fault === 'unconfirmed'
      ? html`<form method="post" action="${address}/send-link"><input type="hidden" name="email" value="${email}"><button>${texts.sendLink}</button></form>`
      : null
  const body = html`<p>${texts.toContinue(application)}</p>
${fault ? html`<p class="alert" role="alert">${texts[fault]}</p>` : null}${resend}
${sent ? html`<p class="alert" role="status">${texts.linkAsked}</p>` : null}
<form method="post" action="${address}/login">
<label>${texts.email}<input type="email" name="email" value="${email}" autocomplete="username" maxlength="254" required></label>
<label>${texts.password}<input type="password" name="password" autocomplete="current-password" maxlength="200" required></label>
<button class="first">${texts.signIn}</button>
</form>
${passkeyForm(address, texts, null)}
${decisionForm(`${address}/cancel`, texts.cancel)}`
  return pageOf(setting, { title: texts.signIn, body, leadsTo, scripted: true })
}

type SecondStep = {
  /** Identifies the sign-in whose password was right. */
  token: string
  /** Which second factors the person has: codes, a passkey, or both. */
  codes: boolean
  passkey: boolean
  wrong?: boolean
}

/** Asks for the second factor of a sign-in. People who have only passkeys are told that scripts are needed. */
export function codePage(
  setting: Setting,
  { address, leadsTo }: Interaction,
  { token, codes, passkey, wrong = false }: SecondStep,
): Page {
  const texts = signInTexts(setting.locale)
  const alert = wrong ? html`<p class="alert" role="alert">${texts.wrongCode}</p>` : null
  const codeForm = html`<p>${texts.codeBody}</p>
${alert}
<form method="post" action="${address}/code"><input type="hidden" name="mfaToken" value="${token}">
${passkey ? html`<input type="hidden" name="passkey" value="1">` : null}
<label>${texts.code}<input name="code" autocomplete="one-time-code" maxlength="50" required></label>
<button class="first">${texts.signIn}</button>
</form>`
  const body = html`${codes ? codeForm : html`<p data-without-passkey>${texts.secondFactor}</p>`}
${passkey ? passkeyForm(address, texts, token) : null}
<p><a href="${address}">${texts.startAgain}</a></p>
${decisionForm(`${address}/cancel`, texts.cancel)}`
  return pageOf(setting, { title: texts.codeTitle, body, leadsTo, scripted: passkey })
}

/** Asks a person to confirm their address; `sent` after the link was requested. */
export function confirmEmailPage(
  setting: Setting,
  { address, application, leadsTo }: Interaction,
  { email, sent = false }: { email: string; sent?: boolean },
): Page {
  const texts = signInTexts(setting.locale)
  const body = html`<p>${texts.confirmBody(application, email)}</p>
${sent ? html`<p class="alert" role="status">${texts.linkSent}</p>` : null}
<form method="post" action="${address}/confirm"><button${sent ? null : html` class="first"`}>${texts.sendLink}</button></form>
<form method="post" action="${address}/continue"><button${sent ? html` class="first"` : null}>${texts.isConfirmed}</button></form>
${decisionForm(`${address}/cancel`, texts.cancel)}`
  return pageOf(setting, { title: texts.confirmTitle, body, leadsTo })
}

/** Asks whether an application may have what it requests. */
export function consentPage(
  setting: Setting,
  { address, application, leadsTo }: Interaction,
  { email, scopes }: { email: string; scopes: readonly string[] },
): Page {
  const texts = signInTexts(setting.locale)
  const wanted = scopes.map((scope) => html`<li>${texts.scopes[scope] ?? scope}</li>`)
  const body = html`<p>${texts.signedInAs(email)}</p>
<ul>${wanted}</ul>
<form method="post" action="${address}/consent"><button class="first">${texts.allow}</button></form>
${decisionForm(`${address}/cancel`, texts.deny)}`
  return pageOf(setting, { title: texts.consent(application), body, leadsTo })
}

type Logout = { action: string; token: string; leadsTo: readonly string[] }

/** Asks whether to sign out of the shop as well. */
export function logoutPage(setting: Setting, { action, token, leadsTo }: Logout): Page {
  const texts = signInTexts(setting.locale)
  const body = html`<p>${texts.askSignOut(setting.brand.name)}</p>
<form method="post" action="${action}"><input type="hidden" name="xsrf" value="${token}">
<button class="first" name="logout" value="yes">${texts.signOut}</button>
<button>${texts.stay}</button></form>`
  return pageOf(setting, { title: texts.signOut, body, leadsTo })
}

/**
 * Continues a logout that needs no question: nobody is signed in, or (`otherAccount`) another person
 * has just signed in instead.
 */
export function proceedPage(
  setting: Setting,
  { action, token, leadsTo }: Logout,
  otherAccount: boolean,
): Page {
  const texts = signInTexts(setting.locale)
  const [title, text] = otherAccount
    ? [texts.otherAccount, texts.otherAccountBody]
    : [texts.signedOut, null]
  const body = html`${text ? html`<p>${text}</p>` : null}
<form method="post" action="${action}"><input type="hidden" name="xsrf" value="${token}">
<button class="first" name="logout" value="yes">${texts.proceed}</button></form>`
  return pageOf(setting, { title, body, leadsTo })
}

/** Says that the person is signed out. */
export function signedOutPage(setting: Setting): Page {
  const texts = signInTexts(setting.locale)
  return pageOf(setting, { title: texts.signedOut, body: html`<p>${texts.signedOutBody}</p>` })
}

type Failure = { error: string; error_description?: string | undefined }

/** Says that a request cannot be answered, with the reason for the application's developer. */
export function errorPage(setting: Setting, { error, error_description }: Failure): Page {
  const texts = signInTexts(setting.locale)
  const body = html`<p>${texts.failedBody}</p>
<p class="small">${texts.reason} ${error}${error_description ? `: ${error_description}` : ''}</p>`
  return pageOf(setting, { title: texts.failed, body })
}

/** Says in a sentence why one of our pages cannot go on. */
export function problemPage(setting: Setting, statusCode: number): Page {
  const texts = signInTexts(setting.locale)
  const sentence =
    statusCode === 429 ? texts.tooMany : statusCode === 403 ? texts.foreign : texts.expired
  const body = html`<p class="alert" role="alert">${sentence}</p><p>${texts.failedBody}</p>`
  return pageOf(setting, { title: texts.failed, body })
}

/** A form that the script shows and fills; it stays invisible without scripts. */
function passkeyForm(address: string, texts: SignInTexts, token: string | null): Html {
  return html`<form method="post" action="${address}/passkey"><input type="hidden" name="response" value="">
${token === null ? null : html`<input type="hidden" name="mfaToken" value="${token}">`}
<button type="button" hidden data-passkey>${texts.usePasskey}</button>
<p class="alert" role="alert" hidden data-passkey-failed>${texts.passkeyFailed}</p></form>`
}

function decisionForm(action: string, label: string): Html {
  return html`<form method="post" action="${action}"><button>${label}</button></form>`
}
