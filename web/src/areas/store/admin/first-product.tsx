import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Intent, partOf, useAction } from '../../../api/actions.ts'
import { boot } from '../../../api/boot.ts'
import { answerOf, client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  Button,
  Card,
  Choice,
  Emblem,
  Empty,
  Faulty,
  I,
  LinkButton,
  Loaded,
  MoneyField,
  Notice,
  Select,
  TextInput,
  useFormats,
} from '../../../ui/index.ts'
import { type Egg, eggs } from '../../panel/admin/index.ts'
import { shop } from '../../tenants/admin/index.ts'
import { categories, type Product } from './reads.ts'
import {
  gameOf,
  limitsFor,
  priceFor,
  SIZES,
  type SizeName,
  unfilledVariables,
} from './templates.ts'

type Wanted = {
  readonly egg: Egg
  readonly size: SizeName
  readonly name: string
  readonly priceCents: number
  readonly category: string
  readonly environment: Readonly<Record<string, string>>
  readonly planName: string
}

/** Creates a product from a game, with suggested limits and price. */
export function FirstProduct() {
  const { setup } = useAdminTexts()
  const texts = setup.product
  const [made, show] = useState<Product | null>(null)
  const maySee = useMay()('nodes:read')
  const known = useQuery({ ...eggs, enabled: maySee })
  if (!maySee) {
    return (
      <Card>
        <Empty icon={I.Lock} title={texts.noEggs}>
          {texts.needsRight}
        </Empty>
      </Card>
    )
  }
  return (
    <Loaded query={known}>
      {({ data }) =>
        made ? (
          <Made product={made} again={() => show(null)} />
        ) : data.length === 0 ? (
          <Card>
            <Empty
              icon={I.Egg}
              title={texts.noEggs}
              action={<LinkButton to="/admin/first-run/panel">{texts.connect}</LinkButton>}
            >
              {texts.noEggsText}
            </Empty>
          </Card>
        ) : (
          <Form eggs={data} done={show} />
        )
      }
    </Loaded>
  )
}

function Form({ eggs: known, done }: { eggs: readonly Egg[]; done: (product: Product) => void }) {
  const { setup } = useAdminTexts()
  const texts = setup.product
  const { megabytes, digits } = useFormats()
  const [first] = known
  const [eggId, setEgg] = useState(first?.id ?? '')
  const [size, setSize] = useState<SizeName>('medium')
  const [typed, type] = useState<{ name?: string; priceCents?: number; category?: string }>({})
  const [environment, setEnvironment] = useState<Record<string, string>>({})
  const seller = useQuery({ ...shop, enabled: useMay()('shop:read') }).data?.seller
  const currency = seller?.currency ?? boot.currency
  const egg = known.find(({ id }) => id === eggId) ?? first
  const create = useCreation(done)
  if (!egg) return null
  const limits = limitsFor(egg, size)
  const game = gameOf(egg)
  const name = typed.name ?? texts.proposed(game, megabytes(limits.memoryMb))
  const priceCents = typed.priceCents ?? priceFor(limits.memoryMb, digits(currency))
  const category = typed.category ?? game
  const asked = unfilledVariables(egg)
  return (
    <form
      className="stack s24"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate({
          ...{ egg, size, name, priceCents, category, environment },
          planName: texts.monthly,
        })
      }}
    >
      <Faulty fault={create.error} />
      <Card>
        <div className="stack form-width">
          <Select
            label={texts.game}
            name="egg"
            searchable
            allowDeselect={false}
            value={egg.id}
            data={known.map((it) => ({ value: it.id, label: it.name }))}
            onChange={(id) => {
              setEgg(id ?? '')
              setEnvironment({})
            }}
          />
          <Choice
            name="size"
            label={texts.size}
            value={size}
            change={(chosen) => {
              setSize(chosen)
              type(({ category: kept }) => (kept === undefined ? {} : { category: kept }))
            }}
            options={SIZES.map((value) => {
              const { memoryMb, diskMb, cpuPercent } = limitsFor(egg, value)
              const cores = cpuPercent / 100
              return {
                value,
                title: texts.sizes[value],
                hint: texts.sizeText(megabytes(memoryMb), cores, megabytes(diskMb)),
              }
            })}
          />
          <TextInput
            label={texts.name}
            name="name"
            value={name}
            required
            maxLength={200}
            onChange={(event) => type({ ...typed, name: event.currentTarget.value })}
          />
          <MoneyField
            label={texts.price}
            name="priceCents"
            description={
              seller?.priceMode === 'exclusive' ? texts.priceHintExcluded : texts.priceHintIncluded
            }
            currency={currency}
            cents={priceCents}
            required
            onCents={(cents) => type({ ...typed, priceCents: cents ?? 0 })}
          />
          <TextInput
            label={texts.category}
            name="category"
            description={texts.categoryHint}
            value={category}
            required
            maxLength={200}
            onChange={(event) => type({ ...typed, category: event.currentTarget.value })}
          />
          {asked.length > 0 ? (
            <fieldset className="plain stack">
              <legend className="legend-label">{texts.required}</legend>
              {asked.map(({ env, name: label, description }) => (
                <TextInput
                  key={env}
                  label={label}
                  name={env}
                  description={description || null}
                  value={environment[env] ?? ''}
                  required
                  onChange={(event) =>
                    setEnvironment({ ...environment, [env]: event.currentTarget.value })
                  }
                />
              ))}
            </fieldset>
          ) : null}
        </div>
      </Card>
      <div className="row">
        <Button type="submit" loading={create.isPending}>
          {texts.create}
        </Button>
      </div>
    </form>
  )
}

/**
 * Creates category, product and plan, one after the other, and publishes the product if it is complete. Objects created before an error are reused, so that a
 * second attempt leaves no incomplete duplicates.
 */
function useCreation(done: (product: Product) => void) {
  const made = useRef<string | null>(null)
  return useAction(
    async (wanted: Wanted, intent: Intent) => {
      const categoryId = await categoryNamed(wanted.category.trim(), intent)
      const body = productOf(wanted, categoryId)
      const id = made.current
      const product = await answerOf(
        id
          ? client.PATCH('/v1/admin/products/{id}', { params: { path: { id } }, body })
          : client.POST('/v1/admin/products', { body, ...partOf(intent, 'product') }),
      )
      made.current = product.id
      await answerOf(
        client.POST('/v1/admin/plans', {
          body: {
            ...{ productId: product.id, name: wanted.planName, interval: 'month' },
            priceCents: wanted.priceCents,
          },
          ...partOf(intent, 'plan'),
        }),
      )
      made.current = null
      const params = { path: { id: product.id } }
      const draft = await answerOf(client.GET('/v1/admin/products/{id}', { params }))
      return draft.publishFaults.length > 0
        ? client.GET('/v1/admin/products/{id}', { params })
        : client.POST('/v1/admin/products/{id}/publish', { params, ...partOf(intent, 'publish') })
    },
    { changes: [['products'], ['categories'], ['admin', 'readiness']], done },
  )
}

async function categoryNamed(name: string, intent: Intent): Promise<string> {
  const { data } = await answerOf(
    client.GET('/v1/admin/categories', { params: { query: { limit: 100 } } }),
  )
  const known = data.find((it) => it.name.toLowerCase() === name.toLowerCase())
  if (known) return known.id
  return (
    await answerOf(
      client.POST('/v1/admin/categories', { body: { name }, ...partOf(intent, 'category') }),
    )
  ).id
}

function productOf({ egg, size, name, environment }: Wanted, categoryId: string) {
  return {
    ...{ name: name.trim(), categoryId },
    provisioning: {
      ...{ eggId: egg.id, nodeIds: [], locationIds: [], limits: limitsFor(egg, size), environment },
      featureLimits: { databases: 1, backups: 2, allocations: 1 },
    },
  }
}

function Made({ product, again }: { product: Product; again: () => void }) {
  const { setup } = useAdminTexts()
  const { common } = useTexts()
  const texts = setup.product
  const category = useQuery(categories).data?.find(({ id }) => id === product.categoryId)
  const { publishFaults: faults } = product
  return (
    <Card>
      <div className="stack">
        <div className="row gap12">
          <Emblem name={product.name} />
          <div>
            <h2 className="h2">{faults.length > 0 ? product.name : texts.created}</h2>
            <p className="sub">{texts.createdText}</p>
          </div>
        </div>
        {faults.length > 0 ? (
          <Notice tone="attention" title={texts.faults}>
            {faults.map(({ path, message }) => (
              <p key={path + message}>{message}</p>
            ))}
          </Notice>
        ) : null}
        <div className="row wrap">
          <Button component="a" href={`/${category?.slug ?? ''}`} target="_blank" variant="default">
            {setup.seeShop}
          </Button>
          <LinkButton to="/admin/products/$id" params={{ id: product.id }} variant="default">
            {texts.edit}
          </LinkButton>
          <Button variant="default" onClick={again}>
            {texts.another}
          </Button>
        </div>
        <p className="sr" role="status">
          {common.saved}
        </p>
      </div>
    </Card>
  )
}
