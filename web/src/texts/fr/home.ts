import type { Texts } from '../index.tsx'

export const home: Texts['home'] = {
  title: 'Accueil',
  hello: (name) => `Bonjour ${name}`,
  none: 'Aucun serveur pour le moment',
  noneText: 'Choisissez un jeu. Votre serveur est prêt peu après le paiement.',
  chooseGame: 'Choisir un jeu',
  otherLanguage: (language) =>
    `Les notifications et les e-mails vous parviennent dans une autre langue : ${language}.`,
  speakEverywhere: (language) => `Utiliser partout : ${language}`,
  upcoming: 'Prochains paiements',
  nothingUpcoming: 'Aucun paiement à venir prochainement.',
  allInvoices: 'Toutes les factures',
  renews: (date) => `Renouvellement le ${date}`,
  ends: (date) => `Fin le ${date}`,
  credit: 'Crédit',
  addCredit: 'Ajouter du crédit',
  news: 'Notifications',
  noNews: 'Aucune notification pour le moment.',
  allNews: 'Toutes les notifications',
  dueTitle: (count) =>
    count === 1 ? 'Une facture est à régler' : `${count} factures sont à régler`,
  due: (amount) => `Montant dû : ${amount}.`,
  seeInvoices: 'Voir les factures',
  suspended: 'Suspendu jusqu’au paiement de sa facture.',
  waitsForPayment: 'En attente du paiement.',
  settingUp: 'Votre serveur est en cours d’installation.',
  setUpFailed: 'L’installation prend plus de temps que prévu. Notre équipe a été prévenue.',
  filesUntil: (date) => `Ses fichiers sont conservés jusqu’au ${date}.`,
  unavailable: 'L’état en direct n’est pas disponible pour le moment.',
}
