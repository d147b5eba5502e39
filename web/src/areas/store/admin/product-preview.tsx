import { useQuery } from '@tanstack/react-query'
import { client, read } from '../../../api/client.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Card, Emblem, useFormats } from '../../../ui/index.ts'
import type { Plan, Product } from './reads.ts'

/** The price for a consumer in the seller's country, from the API, which prices a cart the same way. */
const quote = ({ id, priceCents, currency }: Plan) =>
  read(['quote', id, priceCents, currency], (signal) =>
    client.POST('/v1/store/quote', { body: { items: [{ planId: id }] }, signal }),
  )

type Props = { readonly product: Product; readonly name: string; readonly text: string }

/** The product as the shop shows it, with tax. */
export function ProductPreview({ product, name, text }: Props) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.product
  const [plan] = product.plans
  return (
    <Card title={texts.inShop}>
      <div className="stack s12">
        <div className="row gap12">
          <Emblem name={name} image={product.image} />
          <span className="strong">{name}</span>
        </div>
        {text ? <p className="dim">{text}</p> : null}
        {plan ? <Price plan={plan} /> : <p className="sub">{texts.noTerms}</p>}
      </div>
    </Card>
  )
}

function Price({ plan }: { plan: Plan }) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.product
  const { money, country } = useFormats()
  const priced = useQuery(quote(plan)).data
  const [item] = priced?.items ?? []
  return (
    <div>
      <span className="fig">{money(item?.renewalCents ?? plan.priceCents, plan.currency)}</span>{' '}
      <span className="sub">{plan.name}</span>
      {priced ? (
        <p className="sub">
          {texts.preview(money(priced.totalCents, priced.currency), country(priced.country))}
        </p>
      ) : null}
    </div>
  )
}
