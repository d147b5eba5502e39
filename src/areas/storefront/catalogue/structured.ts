import { decimalText } from '#lib/currency.ts'
import { renderMarkdown } from '#platform/pages/markdown.ts'
import type { ShownFrontPage } from '#tenants'
import type { Visit } from '../visit.ts'
import type { Product } from './catalogue.ts'

const CONTEXT = 'https://schema.org'

/** The breadcrumbs of a page (schema.org): names and paths from the front page. */
export function breadcrumbs(
  { origin, look }: Visit,
  trail: readonly (readonly [name: string, path: string])[],
): object {
  const all = [[look.shop, '/'] as const, ...trail]
  return {
    '@context': CONTEXT,
    '@type': 'BreadcrumbList',
    itemListElement: all.map(([name, path], index) => ({
      ...{ '@type': 'ListItem', position: index + 1, name, item: origin + path },
    })),
  }
}

/** The offers of a product (schema.org). */
export function offersOf({ origin, look }: Visit, product: Product, path: string): object {
  const availability = `${CONTEXT}/${product.available ? 'InStock' : 'SoldOut'}`
  const seller = { '@type': 'Organization', name: look.shop }
  const offers = product.plans.map(({ name, totalCents, currency }) => ({
    ...{ '@type': 'Offer', name, availability, seller, url: origin + path },
    ...{ price: decimalText(totalCents, currency), priceCurrency: currency },
  }))
  return {
    ...{ '@context': CONTEXT, '@type': 'Product', name: product.name, url: origin + path },
    ...(product.description && { description: product.description }),
    ...(product.image && { image: origin + product.image.url }),
    ...(offers.length > 0 && { offers }),
  }
}

/** Questions with their answers (schema.org). */
export function answersOf(questions: ShownFrontPage['questions']): object {
  return {
    ...{ '@context': CONTEXT, '@type': 'FAQPage' },
    mainEntity: questions.map(({ question, answer }) => ({
      ...{ '@type': 'Question', name: question },
      acceptedAnswer: { '@type': 'Answer', text: renderMarkdown(answer).html.text },
    })),
  }
}
