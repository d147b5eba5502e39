import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ActionMenu,
  Button,
  Card,
  Confirm,
  Emblem,
  Empty,
  I,
  IconAction,
  Link,
  LinkButton,
  Loaded,
  Page,
  Sortable,
  Tag,
  told,
  useChange,
  useFormats,
  useListAddress,
} from '../../../ui/index.ts'
import { ProductTag } from './publication.tsx'
import {
  type Category,
  categories,
  type Product,
  product as productRead,
  products,
} from './reads.ts'

const CategoryDialog = lazy(async () => ({
  default: (await import('./category-dialog.tsx')).CategoryDialog,
}))
const Archive = lazy(async () => ({ default: (await import('./archived.tsx')).Archive }))

/** The catalogue in the order of the shop: categories and their products. */
export function Products() {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.products
  const may = useMay()
  const all = useQuery(products)
  const groups = useQuery(categories)
  const [editing, edit] = useState<Category | 'new' | null>(null)
  const mayWrite = may('store:write')
  const isArchive = useListAddress().search.view === 'archived'
  return (
    <Page
      title={texts.title}
      sub={texts.sub}
      actions={
        <>
          <LinkButton
            to="/admin/products"
            search={isArchive ? {} : { view: 'archived' }}
            variant="default"
          >
            {isArchive ? texts.onSaleList : texts.archivedTitle}
          </LinkButton>
          {mayWrite ? (
            <>
              <Button variant="default" onClick={() => edit('new')}>
                {texts.addCategory}
              </Button>
              <LinkButton to="/admin/products/new" leftSection={<I.Plus size={16} aria-hidden />}>
                {texts.add}
              </LinkButton>
            </>
          ) : null}
        </>
      }
    >
      {isArchive ? (
        <Suspense>
          <Archive />
        </Suspense>
      ) : (
        <Loaded query={all}>
          {(list) => (
            <Loaded query={groups}>
              {(known) =>
                list.length === 0 && known.length === 0 ? (
                  <Card>
                    <Empty
                      icon={I.Package}
                      title={texts.none}
                      action={
                        mayWrite ? (
                          <LinkButton to="/admin/products/new">{texts.add}</LinkButton>
                        ) : null
                      }
                    >
                      {texts.noneText}
                    </Empty>
                  </Card>
                ) : (
                  <Groups list={list} known={known} edit={edit} mayWrite={mayWrite} />
                )
              }
            </Loaded>
          )}
        </Loaded>
      )}
      {editing ? (
        <Suspense>
          <CategoryDialog category={editing === 'new' ? null : editing} close={() => edit(null)} />
        </Suspense>
      ) : null}
    </Page>
  )
}

type GroupsProps = {
  readonly list: readonly Product[]
  readonly known: readonly Category[]
  readonly edit: (category: Category) => void
  readonly mayWrite: boolean
}

function Groups({ list, known, edit, mayWrite }: GroupsProps) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.products
  const loose = list.filter(({ categoryId }) => !known.some(({ id }) => id === categoryId))
  return (
    <div className="stack s24">
      <Sortable
        rows={known}
        label={texts.title}
        place={
          mayWrite
            ? ({ id, position }) =>
                client.PATCH('/v1/admin/categories/{id}', {
                  params: { path: { id } },
                  body: { position },
                })
            : null
        }
        changes={[['categories']]}
      >
        {(category) => (
          <Card
            title={category.name}
            flush
            right={
              <>
                {category.hidden ? <Tag tone="ended">{texts.hidden}</Tag> : null}
                {mayWrite ? (
                  <IconAction
                    label={texts.editCategory(category.name)}
                    icon={I.Edit}
                    variant="subtle"
                    onClick={() => edit(category)}
                  />
                ) : null}
              </>
            }
          >
            <ProductRows
              rows={list.filter(({ categoryId }) => categoryId === category.id)}
              label={category.name}
              mayWrite={mayWrite}
            />
          </Card>
        )}
      </Sortable>
      {loose.length > 0 ? (
        <Card title={texts.uncategorized} flush>
          <ProductRows rows={loose} label={texts.uncategorized} mayWrite={mayWrite} />
        </Card>
      ) : null}
    </div>
  )
}

type RowsProps = {
  readonly rows: readonly Product[]
  readonly label: string
  readonly mayWrite: boolean
}

function ProductRows({ rows, label, mayWrite }: RowsProps) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.products
  if (rows.length === 0) return <p className="sub pad">{texts.emptyCategory}</p>
  return (
    <Sortable
      rows={rows}
      label={label}
      place={
        mayWrite
          ? ({ id, position }) =>
              client.PATCH('/v1/admin/products/{id}', {
                params: { path: { id } },
                body: { position },
              })
          : null
      }
      changes={[['products']]}
    >
      {(product) => <ProductRow product={product} mayWrite={mayWrite} />}
    </Sortable>
  )
}

function ProductRow({ product, mayWrite }: { product: Product; mayWrite: boolean }) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.products
  const { money } = useFormats()
  const [cheapest] = [...product.plans].sort((a, b) => a.priceCents - b.priceCents)
  return (
    <div className="product-row">
      <Emblem name={product.name} size={32} image={product.image} />
      <span className="grow">
        <Link to="/admin/products/$id" params={{ id: product.id }} className="strong ink">
          {product.name}
        </Link>
        <span className="sub block">
          {cheapest ? texts.from(money(cheapest.priceCents, cheapest.currency)) : texts.noPlan}
          {product.stock === null
            ? null
            : ` · ${product.stock === 0 ? texts.soldOut : texts.stock(product.stock)}`}
        </span>
      </span>
      <ProductTag product={product} />
      {mayWrite ? <ProductMenu product={product} /> : null}
    </div>
  )
}

function ProductMenu({ product }: { product: Product }) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.products
  const [isAsking, ask] = useState(false)
  const archive = useChange(
    (id: string) => client.DELETE('/v1/admin/products/{id}', { params: { path: { id } } }),
    {
      changes: [['products'], ['admin', 'readiness']],
      done: () => {
        ask(false)
        told(texts.archived)
      },
    },
  )
  const duplicate = useDuplication()
  // Responses of lists do not contain the number of services.
  const services =
    useQuery({ ...productRead(product.id), enabled: isAsking }).data?.serviceCount ?? 0
  return (
    <>
      <ActionMenu
        position="bottom-end"
        width={200}
        target={<IconAction label={texts.actions(product.name)} icon={I.Dots} variant="subtle" />}
        entries={[
          {
            ...{ key: 'duplicate', label: texts.duplicate, icon: I.Copy },
            choose: () => duplicate.mutate(product),
          },
          { key: 'archive', label: texts.archive, icon: I.Trash, choose: () => ask(true) },
        ]}
      />
      <Confirm
        opened={isAsking}
        close={() => ask(false)}
        title={texts.archiveTitle(product.name)}
        action={texts.archive}
        run={() => archive.mutate(product.id)}
        isRunning={archive.isPending}
        isDangerous
      >
        {texts.archiveText}
        {services > 0 ? ` ${texts.keptBy(services)}` : null}
      </Confirm>
    </>
  )
}

/** Creates a draft like a product, to be edited before it is published. */
function useDuplication() {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.products
  return useChange(
    ({ id, name }: Product, intent) =>
      client.POST('/v1/admin/products/{id}/duplicate', {
        ...{ params: { path: { id } }, body: { name: texts.copyOf(name) } },
        ...intent,
      }),
    {
      changes: [['products']],
      done: ({ name }) => told(texts.duplicated(name)),
    },
  )
}
