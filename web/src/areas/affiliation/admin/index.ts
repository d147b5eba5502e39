export { ReferralCard } from './referral.tsx'
