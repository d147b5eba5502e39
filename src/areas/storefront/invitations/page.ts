import type { PageDocument } from '#platform/pages/document.ts'
import { html } from '#platform/pages/html.ts'
import { messagePage, quietPage } from '../parts/frames.ts'
import type { Visit } from '../visit.ts'

/** An invitation as the API returns it to anyone with its link. */
export type Invitation = {
  readonly serviceName: string
  readonly inviterFirstName: string
  readonly permissions: readonly ('view' | 'power' | 'console' | 'files' | 'backups' | 'settings')[]
  readonly status: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired'
  /** Whether it is for the address of the signed-in caller; null without one. */
  readonly forMe: boolean | null
}

/** Who invites to which server, and the buttons to accept or decline. Opening the page does neither. */
export function invitationPage(visit: Visit, token: string, it: Invitation): PageDocument {
  const { invitation, signIn, account } = visit.texts
  if (it.status !== 'pending') return overPage(visit, it)
  const path = `/i/${encodeURIComponent(token)}`
  const next = `next=${encodeURIComponent(path)}`
  const title = invitation.title(it.inviterFirstName, it.serviceName)
  const rights = it.permissions.map((right) => html`<li>${invitation.permissions[right]}</li>`)
  const answer =
    it.forMe === null
      ? html`<p>${invitation.signInFirst}</p><a class="button full" href="/sign-in?${next}">${signIn}</a><p class="mid"><a href="/register?${next}">${account.register}</a></p>`
      : it.forMe
        ? html`<form class="stack md" method="post" action="${path}"><button class="button full" name="answer" value="accept">${invitation.accept}</button><button class="button plain full" name="answer" value="decline">${invitation.decline}</button></form>`
        : html`<p>${invitation.otherAddress}</p>`
  return quietPage(visit, {
    ...{ title, main: 'small' },
    body: html`<div class="intro"><h1>${title}</h1><p class="dim">${invitation.lead}</p></div>
<div class="sheet pad stack md"><ul>${rights}</ul>${answer}</div>`,
  })
}

/** An invitation that can no longer be answered, or that never existed. */
export function overPage(
  visit: Visit,
  it: Pick<Invitation, 'inviterFirstName'> | null,
): PageDocument {
  const { invitation, account } = visit.texts
  return messagePage(visit, {
    title: invitation.overTitle,
    lead: it ? invitation.overLead(it.inviterFirstName) : invitation.unknownLead,
    ...{ to: '/', link: account.toShop },
  })
}
