import type { Decision, Question } from './decision.ts';

/**
 * A decision that was really made, and about what. Decisions are plain data that anybody could
 * write down; the private field marks the ones of `decide`, and only such a one opens a call. A copy
 * has no such field.
 */
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
