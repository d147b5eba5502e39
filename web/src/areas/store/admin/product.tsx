import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { client, read } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Card,
  Facts,
  Faulty,
  FormSection,
  I,
  Loaded,
  MultiSelect,
  NumberField,
  Page,
  SaveBar,
  Select,
  Switch,
  Textarea,
  TextInput,
  told,
  useFormats,
} from '../../../ui/index.ts'
import { shop } from '../../tenants/admin/index.ts'
import { DeliverySection } from './delivery-section.tsx'
import { ImageField } from './image-field.tsx'
import { Plans } from './plans.tsx'
import { BADGES, bodyOf, fieldsOf } from './product-fields.ts'
import { ProductPreview } from './product-preview.tsx'
import { ProductTag, Publication } from './publication.tsx'
import { capacity, categories, type Product, product as productRead, products } from './reads.ts'
import { ServerSections } from './server-sections.tsx'
import { TranslationFields } from './translations.tsx'

export function ProductPage() {
  const { id } = useParams({ strict: false })
  const query = useQuery(productRead(id ?? ''))
  return (
    <Loaded isScreen query={query}>
      {(it) => <Editor key={it.id} product={it} />}
    </Loaded>
  )
}

const taxRates = read(['tax-rates', 'choice'], (signal) =>
  client.GET('/v1/admin/tax-rates', { params: { query: { limit: 100 } }, signal }),
)

/** One product: its description, its prices and its server settings. */
function Editor({ product }: { product: Product }) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.product
  const may = useMay()
  const groups = useQuery(categories).data ?? []
  const rates = useQuery(taxRates).data?.data ?? []
  const others = (useQuery(products).data ?? []).filter(({ id }) => id !== product.id)
  const own = useQuery({ ...shop, enabled: may('shop:read') }).data
  const params = { path: { id: product.id } }
  const form = useForm({
    name: `product:${product.id}`,
    saved: fieldsOf(product),
    call: (wanted, intent) =>
      client.PATCH('/v1/admin/products/{id}', { params, body: bodyOf(wanted), ...intent }),
    edits: { read: () => client.GET('/v1/admin/products/{id}', { params }), fieldsOf },
    changes: [['products'], ['admin', 'readiness']],
    done: () => told(texts.saved),
  })
  const { fields, set, text, choice, flag } = form
  const category = groups.find(({ id }) => id === fields.categoryId)
  const faults = faultsOf(product)
  const isNet = own?.seller.priceMode === 'exclusive'
  return (
    <Page
      wide
      title={product.name}
      head={
        <header className="page-head">
          <div>
            <div className="row gap12 wrap">
              <h1>{product.name}</h1>
              <ProductTag product={product} />
            </div>
            <div className="sub">{texts.changesHint}</div>
          </div>
          <div className="actions">
            <Button
              component="a"
              href={`/${category?.slug ?? ''}`}
              target="_blank"
              variant="default"
              rightSection={<I.ArrowUpRight size={16} aria-hidden />}
            >
              {texts.seeShop}
            </Button>
            {may('store:write') ? <Publication product={product} /> : null}
          </div>
        </header>
      }
    >
      <div className="grid split">
        <div>
          <Faulty fault={form.fault} />
          <form onSubmit={form.submit}>
            <FormSection title={texts.basics} help={texts.basicsText}>
              <TextInput {...text('name')} label={texts.name} required maxLength={200} />
              <div className="grid cols-2">
                <TextInput
                  {...text('slug')}
                  label={texts.slug}
                  required
                  leftSection={<span className="dim">/</span>}
                />
                <Select
                  {...choice('categoryId')}
                  label={texts.category}
                  clearable
                  placeholder={texts.noCategory}
                  data={groups.map(({ id, name }) => ({ value: id, label: name }))}
                />
              </div>
              <Textarea {...text('description')} label={texts.description} autosize minRows={2} />
            </FormSection>
            <FormSection title={catalogue.translations.title} help={catalogue.translations.text}>
              <TranslationFields
                value={fields.translations}
                change={(translations) => set({ translations })}
              />
            </FormSection>
            <FormSection title={texts.prices} help={isNet ? texts.pricesNet : texts.pricesGross}>
              <Plans product={product} />
            </FormSection>
            <DeliverySection form={form} product={product} />
            <ServerSections form={form} faults={faults} />
            <FormSection title={texts.selling}>
              <Switch
                {...flag('isVisible')}
                label={texts.visible}
                description={texts.visibleText}
              />
              <div className="grid cols-2">
                <NumberField
                  name="stock"
                  label={texts.stock}
                  value={fields.stock}
                  placeholder={texts.unlimited}
                  error={form.errors.stock}
                  change={(stock) => set({ stock })}
                />
                <Select
                  {...choice('taxRateId')}
                  label={texts.taxRate}
                  clearable
                  placeholder={texts.standardRate}
                  data={rates.map(({ id, name, country }) => ({
                    value: id,
                    label: `${name} (${country})`,
                  }))}
                />
              </div>
              <Select
                {...choice('badge')}
                label={texts.badge}
                clearable
                placeholder={texts.noBadge}
                data={BADGES.map((it) => ({ value: it, label: texts.badges[it] }))}
              />
              <MultiSelect
                label={texts.upgrades}
                description={texts.upgradesHint}
                searchable
                value={[...fields.upgradeTargetIds]}
                data={others.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(upgradeTargetIds) => set({ upgradeTargetIds })}
              />
            </FormSection>
          </form>
          {may('store:write') ? (
            <SaveBar
              isChanged={form.isChanged}
              isSaving={form.isSaving}
              save={form.save}
              discard={form.reset}
            />
          ) : null}
        </div>
        <div className="stack">
          <ProductPreview product={product} name={fields.name} text={fields.description} />
          {may('store:write') ? (
            <Card title={texts.picture}>
              <ImageField owner="products" id={product.id} image={product.image} />
            </Card>
          ) : null}
          <Checks product={product} />
          {product.provisioning ? <Capacity productId={product.id} /> : null}
        </div>
      </div>
    </Page>
  )
}

/** The problems that prevent provisioning, by field. */
function faultsOf({ provisioningFaults }: Product): Readonly<Record<string, string>> {
  return Object.fromEntries(
    provisioningFaults.map(({ path, message }) => [path.replace(/^.*[./]/, ''), message]),
  )
}

/** How many more servers of the product fit, on each panel. */
function Capacity({ productId }: { productId: string }) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.product
  const { number } = useFormats()
  return (
    <Card title={texts.capacity}>
      <Loaded query={useQuery(capacity(productId))}>
        {({ places, panels }) => (
          <div className="stack s8">
            <p>{places === null ? texts.capacityUnknown : texts.places(places)}</p>
            {panels.length > 1 ? (
              <Facts
                rows={panels.map((it) => [it.name, it.places === null ? '–' : number(it.places)])}
              />
            ) : null}
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function Checks({ product }: { product: Product }) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.product
  const { publishFaults, plans, publishedAt } = product
  const faults = publishFaults.filter(({ path }) => path !== 'plans')
  const hasPrice = faults.length === publishFaults.length
  const checks = [
    [faults.length === 0, texts.deliverable, faults.map(({ message }) => message).join(' ')],
    [hasPrice, texts.hasPrice, plans.length > 0 ? texts.noPrice : texts.noTerms],
    [publishedAt !== null, texts.isPublished, texts.draftText],
    [!product.hidden, texts.isVisible, ''],
    [product.upgradeTargetIds.length > 0, texts.hasUpgrade, ''],
  ] as const
  return (
    <Card title={texts.checks}>
      <ul>
        {checks.map(([isDone, what, why]) => (
          <li key={what} className={isDone ? 'check done' : 'check'}>
            <span className="box" aria-hidden>
              {isDone ? <I.Check size={13} stroke={2.4} /> : null}
            </span>
            <span className="grow">
              <span className="what">{what}</span>
              {isDone || !why ? null : <span className="sub block">{why}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
