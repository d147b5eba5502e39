import type { PageDocument } from '#platform/pages/document.ts'
import { countryField } from '#platform/pages/fields.ts'
import { html } from '#platform/pages/html.ts'
import { formatsOf } from '../parts/formats.ts'
import { quietPage } from '../parts/frames.ts'
import type { Visit } from '../visit.ts'

/** Asks for the country of the prices, and returns to the previous page. */
export function countryPage(visit: Visit, next: string): PageDocument {
  const { countryPage: own } = visit.texts
  const list = formatsOf(visit.texts).countries()
  const field = countryField(
    { id: 'country', label: own.country, value: visit.pricing.country },
    list,
  )
  return quietPage(visit, {
    ...{ title: own.title, main: 'small' },
    body: html`<div class="intro"><h1>${own.title}</h1><p class="dim">${own.lead}</p></div>
<form class="sheet pad stack md" method="get" action="${next}">${field}<button class="button">${own.save}</button></form>`,
  })
}
