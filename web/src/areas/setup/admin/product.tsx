import { FirstProduct } from '../../store/admin/index.ts'
import { StepFrame } from './frame.tsx'

export function ProductStep() {
  return (
    <StepFrame step="product">
      <FirstProduct />
    </StepFrame>
  )
}
