import type { PageDocument } from '#platform/pages/document.ts'
import { html } from '#platform/pages/html.ts'
import type { Visit } from '../visit.ts'
import { messagePage, quietPage } from './frames.ts'

/** The shop is suspended: nothing is shown but that. */
export function closedPage(visit: Visit): PageDocument {
  const { title, lead } = visit.texts.closed
  return quietPage(visit, {
    ...{ title: title(visit.look.shop), main: 'small' },
    body: html`<div class="intro"><h1>${title(visit.look.shop)}</h1><p class="dim">${lead}</p></div>`,
  })
}

/** Something failed that the person can do nothing about but try again. */
export function faultPage(visit: Visit, message: string | null): PageDocument {
  const { title, lead } = visit.texts.problem
  const { home } = visit.texts.missing
  return messagePage(visit, { title, lead: message ?? lead, to: '/', link: home })
}
