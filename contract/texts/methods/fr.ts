import type { MethodTexts } from './en.ts'

export const fr: MethodTexts = {
  otherWays: 'Autres moyens de paiement',
  backToCard: 'Revenir à la carte',
  obliges: 'En payant, vous passez une commande avec obligation de paiement.',
  replaced:
    'Les coordonnées ou la livraison ont été modifiées dans un autre onglet. Veuillez les vérifier à nouveau.',
  noPayment: 'Aucun paiement n’est arrivé. Veuillez réessayer ou payer d’une autre manière.',
  instead: {
    payment: {
      provider:
        'Votre paiement va directement à SumUp, notre prestataire de paiement. Cette boutique ne voit jamais les données de votre carte ou de votre compte.',
      bankPage: 'Le paiement ne continue pas ici\u00a0?',
      leaveBankPage: 'Fermer et attendre le paiement',
    },
    connection: {
      unsent: 'Rien n’a encore été envoyé pour un paiement. Cette page réessaie d’elle-même.',
      noPayment:
        'La connexion a été interrompue et aucun paiement n’est arrivé. Veuillez réessayer.',
    },
    toasts: {
      paymentFailedText: 'Veuillez réessayer ou choisir un autre moyen de paiement.',
    },
    refusals: {
      'price-not-payable':
        'Ce produit ne peut pas être payé à ce prix et dans cette devise. Veuillez le signaler à la boutique.',
      'payments-away':
        'Le paiement n’est pas disponible pour le moment. Veuillez réessayer dans un instant.',
      'too-many-cards':
        'Trop de paiements ont été refusés ou abandonnés. Veuillez patienter un moment ou contacter la boutique.',
    },
    panels: {
      tooManyCards: {
        title: 'Paiement indisponible',
        text: 'Un paiement refusé n’est pas débité. Votre saisie est conservée\u00a0: rechargez cette page plus tard, et le formulaire de paiement s’affichera à nouveau.',
      },
      atBank: {
        title: 'Votre paiement n’est pas encore confirmé',
        confirm:
          'Veuillez le terminer là où vous payez, par exemple dans l’application de votre banque. Inutile de payer à nouveau\u00a0: dès qu’il sera confirmé, votre commande sera enregistrée automatiquement.',
        goesOn: 'La suite s’affiche ici dès que le paiement est confirmé.',
        button: 'Je n’ai pas terminé le paiement',
        stillThere:
          'Ce paiement est encore en cours, nous ne pouvons donc pas encore ouvrir un nouveau formulaire. Veuillez le terminer ou patienter un peu\u00a0: la suite s’affiche automatiquement.',
      },
      delayed: {
        text: 'Cela prend plus de temps que d’habitude. Veuillez ne pas payer à nouveau\u00a0: si vous avez été débité, votre commande sera enregistrée automatiquement.',
      },
      orderRefused: {
        text: 'Votre paiement a été envoyé et vous ne serez pas débité une seconde fois. Veuillez réessayer de créer la commande.',
      },
      notFound: {
        before:
          'Avant de payer à nouveau, veuillez vérifier si vous avez été débité. Si c’est le cas et que vous n’avez aucune confirmation de commande, écrivez à la boutique.',
      },
      notSold: {
        text: 'Votre paiement n’a pas été envoyé et rien n’a été débité.',
        unknownText:
          'Votre paiement n’a pas été envoyé cette fois. Si vous avez été débité lors de la tentative précédente, la boutique est automatiquement informée de ce paiement.',
      },
      review: {
        uncertainText:
          'On ne sait pas encore avec certitude si vous avez été débité, la boutique est donc en train de le vérifier. Veuillez ne pas payer à nouveau d’ici là.',
      },
    },
  },
}
