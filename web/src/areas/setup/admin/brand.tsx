import { BrandForm } from '../../tenants/admin/index.ts'
import { StepFrame } from './frame.tsx'

export function BrandStep() {
  return (
    <StepFrame step="brand">
      <BrandForm />
    </StepFrame>
  )
}
