export { FirstProduct } from './first-product.tsx'
