import { useAdminTexts } from '../../../texts/admin.tsx'
import { Page } from '../../../ui/index.ts'
import { FirstProduct } from './first-product.tsx'

export function NewProduct() {
  const { catalogue, setup } = useAdminTexts()
  return (
    <Page title={catalogue.product.newTitle} sub={setup.product.lead}>
      <FirstProduct />
    </Page>
  )
}
