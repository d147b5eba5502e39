import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { loadCreditKinds } from '../../../texts/credit-kinds.ts'
import { useLocale, useTexts } from '../../../texts/index.tsx'
import { Card, Listed, Loaded, Tag, useFormats } from '../../../ui/index.ts'
import { methodName } from '../../billing/index.ts'
import { methodsOf } from './reads.ts'

/** How the credit of a person came and went, newest first, with the balance after each entry. */
export function CreditCard({ userId }: { userId: string }) {
  const { people } = useAdminTexts()
  const { money, date } = useFormats()
  const locale = useLocale()
  const kinds = useQuery({
    queryKey: ['texts', 'credit-kinds', locale],
    queryFn: () => loadCreditKinds(locale),
    staleTime: Number.POSITIVE_INFINITY,
  }).data
  const list = useList(['admin', 'people', userId, 'credits'], (where, signal) =>
    client.GET('/v1/admin/users/{id}/credits', {
      params: { path: { id: userId }, query: { ...where, limit: 5 } },
      signal,
    }),
  )
  return (
    <Card title={people.creditHistory}>
      <Listed list={list} empty={<p className="dim">{people.noCredit}</p>}>
        {(rows) => (
          <ul className="stack s12">
            {rows.map((it) => (
              <li key={it.id} className="row between top">
                <span className="any">
                  {kinds?.[it.kind]}
                  <span className="sub block">
                    {[
                      ...(it.description ? [it.description] : []),
                      date(it.createdAt),
                      people.creditAfter(money(it.balanceAfterCents, it.currency)),
                    ].join(' · ')}
                  </span>
                </span>
                <span className="num">{money(it.amountCents, it.currency)}</span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </Card>
  )
}

/** The saved payment methods of a person. */
export function MethodsCard({ userId }: { userId: string }) {
  const { people } = useAdminTexts()
  const texts = useTexts()
  const { date } = useFormats()
  return (
    <Card title={people.methods}>
      <Loaded query={useQuery(methodsOf(userId))} waiting={null}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="dim">{people.noMethods}</p>
          ) : (
            <ul className="stack s12">
              {data.map((method) => (
                <li key={method.id} className="row between top">
                  <span className="any">
                    {methodName(method, texts)}
                    <span className="sub block">{date(method.createdAt)}</span>
                  </span>
                  {method.default ? <Tag tone="active">{texts.billing.default}</Tag> : null}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
