import type { Decision, Question } from './decision.ts';

/** The private field marks decisions of `decide`: a copy or plain data opens no call. */
export class MadeDecision implements Decision {
  readonly effect: Decision['effect'];
  readonly by: Decision['by'];
  readonly reason: string;
  readonly offers: Decision['offers'];
  readonly #question: Question;

  constructor(question: Question, { effect, by, reason, offers }: Decision) {
    this.effect = effect;
    this.by = by;
    this.reason = reason;
    this.offers = offers;
    this.#question = question;
  }

  static allows(decision: Decision, question: Question): boolean {
    return #question in decision && decision.#question === question && decision.effect === 'allow';
  }
}
