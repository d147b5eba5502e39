export const moneyRules = {}
