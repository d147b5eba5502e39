export { AdminVoucherBatch } from './batch.tsx'
export { AdminVouchers } from './vouchers.tsx'
