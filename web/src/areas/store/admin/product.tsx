import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { client } from '../../../api/client.ts'
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
  Page,
  SaveBar,
  Select,
  Skeleton,
  Textarea,
  TextInput,
  told,
  useFormats,
} from '../../../ui/index.ts'
import { shop } from '../../tenants/admin/index.ts'
import { bodyOf, fieldsOf } from './product-fields.ts'
import { ProductTag, Publication } from './publication.tsx'
import { capacity, categories, type Product, product as productRead } from './reads.ts'

export function ProductPage() {
  const { id } = useParams({ strict: false })
  const query = useQuery(productRead(id ?? ''))
  return (
    <Loaded isScreen query={query}>
      {(it) => <Editor key={it.id} product={it} />}
    </Loaded>
  )
}

// What is below the first sections is loaded after them.
const TranslationFields = lazy(async () => ({
  default: (await import('./translations.tsx')).TranslationFields,
}))
const Plans = lazy(async () => ({ default: (await import('./plans.tsx')).Plans }))
const DeliverySection = lazy(async () => ({
  default: (await import('./delivery-section.tsx')).DeliverySection,
}))
const ServerSections = lazy(async () => ({
  default: (await import('./server-sections.tsx')).ServerSections,
}))
const SellingSection = lazy(async () => ({
  default: (await import('./selling-section.tsx')).SellingSection,
}))
const ProductPreview = lazy(async () => ({
  default: (await import('./product-preview.tsx')).ProductPreview,
}))
const ImageField = lazy(async () => ({ default: (await import('./image-field.tsx')).ImageField }))

/** One product: its description, its prices and its server settings. */
function Editor({ product }: { product: Product }) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.product
  const may = useMay()
  const groups = useQuery(categories).data ?? []
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
  const { fields, set, text, choice } = form
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
              <Suspense fallback={<Skeleton height={36} />}>
                <TranslationFields
                  value={fields.translations}
                  change={(translations) => set({ translations })}
                />
              </Suspense>
            </FormSection>
            <FormSection title={texts.prices} help={isNet ? texts.pricesNet : texts.pricesGross}>
              <Suspense fallback={<Skeleton height={120} />}>
                <Plans product={product} />
              </Suspense>
            </FormSection>
            <Suspense fallback={<Skeleton height={480} />}>
              <DeliverySection form={form} product={product} />
              <ServerSections form={form} faults={faults} />
              <SellingSection form={form} product={product} />
            </Suspense>
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
          <Suspense fallback={<Skeleton height={220} />}>
            <ProductPreview product={product} name={fields.name} text={fields.description} />
          </Suspense>
          {may('store:write') ? (
            <Card title={texts.picture}>
              <Suspense fallback={<Skeleton height={120} />}>
                <ImageField owner="products" id={product.id} image={product.image} />
              </Suspense>
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
