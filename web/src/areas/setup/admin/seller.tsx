import { SellerForm, TaxRatesCard } from '../../tenants/admin/index.ts'
import { StepFrame } from './frame.tsx'

export function SellerStep() {
  return (
    <StepFrame step="seller">
      <SellerForm />
      <TaxRatesCard />
    </StepFrame>
  )
}
