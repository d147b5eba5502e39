import { client } from '../../../api/client.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Button, Tag, told, useChange } from '../../../ui/index.ts'
import type { Product } from './reads.ts'

/** Whether a product is a draft, on sale, hidden, or prevented from being sold. */
export function ProductTag({ product }: { product: Product }) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.products
  if (product.publishedAt === null) return <Tag tone="waiting">{texts.draft}</Tag>
  if (!product.sellable) return <Tag tone="failed">{texts.notDeliverable}</Tag>
  return (
    <Tag tone={product.hidden ? 'ended' : 'active'}>
      {product.hidden ? texts.hidden : texts.onSale}
    </Tag>
  )
}

/** The button that publishes a complete draft, or makes a published product a draft. */
export function Publication({ product: { id, publishedAt, publishFaults } }: { product: Product }) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.product
  const params = { path: { id } }
  const changes = [['products'], ['admin', 'readiness']]
  const publish = useChange(
    (_: null, intent) => client.POST('/v1/admin/products/{id}/publish', { params, ...intent }),
    { changes, done: () => told(texts.published) },
  )
  const unpublish = useChange(
    (_: null, intent) => client.POST('/v1/admin/products/{id}/unpublish', { params, ...intent }),
    { changes, done: () => told(texts.unpublished) },
  )
  if (publishedAt !== null) {
    return (
      <Button
        variant="default"
        loading={unpublish.isPending}
        onClick={() => unpublish.mutate(null)}
      >
        {texts.unpublish}
      </Button>
    )
  }
  return (
    <Button
      loading={publish.isPending}
      disabled={publishFaults.length > 0}
      onClick={() => publish.mutate(null)}
    >
      {texts.publish}
    </Button>
  )
}
