import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ArchivedCard,
  Button,
  Card,
  Confirm,
  Empty,
  I,
  Listed,
  Table,
  told,
  useChange,
  useFormats,
} from '../../../ui/index.ts'
import type { Plan, Product } from './reads.ts'

/** The archive of the catalogue: products, and categories if there are any. */
export function Archive() {
  return (
    <div className="stack s24">
      <ArchivedProducts />
      <ArchivedCategories />
    </div>
  )
}

/** The archived categories, each of which can be restored; renders nothing if there are none. */
function ArchivedCategories() {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.products
  const mayWrite = useMay()('store:write')
  const list = useList(['categories', 'archived'], (where, signal) =>
    client.GET('/v1/admin/categories', {
      params: { query: { archived: true, limit: 50, ...where } },
      signal,
    }),
  )
  const restore = useChange(
    (id: string, intent) =>
      client.POST('/v1/admin/categories/{id}/restore', { params: { path: { id } }, ...intent }),
    {
      changes: [['categories'], ['products']],
      done: ({ name }) => told(texts.restored(name)),
    },
  )
  return (
    <ArchivedCard
      texts={{ ...texts, archived: texts.archivedCategories, name: catalogue.category.name }}
      list={list}
      restore={mayWrite ? restore : null}
    />
  )
}

/** The archived products, each of which can become a draft again. */
function ArchivedProducts() {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.products
  const { date } = useFormats()
  const mayWrite = useMay()('store:write')
  const [asked, ask] = useState<Product | null>(null)
  const list = useList(['products', 'archived'], (where, signal) =>
    client.GET('/v1/admin/products', {
      params: { query: { archived: true, limit: 50, ...where } },
      signal,
    }),
  )
  const restore = useChange(
    (id: string, intent) =>
      client.POST('/v1/admin/products/{id}/restore', { params: { path: { id } }, ...intent }),
    {
      changes: [['products'], ['admin', 'readiness']],
      done: ({ name }) => {
        ask(null)
        told(texts.restored(name))
      },
    },
  )
  return (
    <Card title={texts.archivedTitle} flush>
      <Listed list={list} empty={<Empty icon={I.Package} title={texts.noArchived} />}>
        {(rows) => (
          <Table
            caption={texts.archivedTitle}
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              {
                head: catalogue.product.name,
                cell: ({ name }) => name,
              },
              {
                ...{ head: texts.archivedAt, small: 'sub' },
                cell: ({ archivedAt }) => (archivedAt ? date(archivedAt) : null),
              },
              {
                ...{ head: texts.restore, silent: true, right: true, small: 'second' },
                cell: (it) =>
                  mayWrite ? (
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`${texts.restore}: ${it.name}`}
                      onClick={() => ask(it)}
                    >
                      {texts.restore}
                    </Button>
                  ) : null,
              },
            ]}
          />
        )}
      </Listed>
      <Confirm
        opened={asked !== null}
        close={() => ask(null)}
        title={texts.restoreTitle(asked?.name ?? '')}
        action={texts.restore}
        run={() => asked && restore.mutate(asked.id)}
        isRunning={restore.isPending}
      >
        {texts.restoreText}
      </Confirm>
    </Card>
  )
}

/** The archived terms of a product; renders nothing if it has none. */
export function ArchivedPlans({ productId }: { productId: string }) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.products
  const { money } = useFormats()
  const mayWrite = useMay()('store:write')
  const list = useList(['products', productId, 'archived-plans'], (where, signal) =>
    client.GET('/v1/admin/plans', {
      params: { query: { archived: true, productId, ...where } },
      signal,
    }),
  )
  const restore = useChange(
    (planId: string, intent) =>
      client.POST('/v1/admin/plans/{planId}/restore', { params: { path: { planId } }, ...intent }),
    {
      changes: [['products'], ['admin', 'readiness']],
      done: ({ name }) => told(texts.restored(name)),
    },
  )
  const rows: readonly Plan[] = list.rows ?? []
  if (rows.length === 0) return null
  return (
    <details className="more-fields">
      <summary>{texts.archivedTerms(rows.length)}</summary>
      <ul className="methods">
        {rows.map((plan) => (
          <li key={plan.id}>
            <span className="grow">
              {plan.name}
              <span className="sub block">{money(plan.priceCents, plan.currency)}</span>
            </span>
            {mayWrite ? (
              <Button
                size="compact-sm"
                variant="default"
                loading={restore.isPending && restore.variables === plan.id}
                aria-label={`${texts.restore}: ${plan.name}`}
                onClick={() => restore.mutate(plan.id)}
              >
                {texts.restore}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {list.hasMore ? (
        <Button variant="default" loading={list.isLoadingMore} onClick={list.more}>
          {texts.moreTerms}
        </Button>
      ) : null}
    </details>
  )
}
