/*
 * The rules that mark an order paid once and send its money back once, without the engine. README.md explains each of them.
 * spin -run write-once.pml must find no error; with one rule left out (-DNO_FENCE, ...) it must find one: check-model.ts.
 *
 * Time is abstract: a worker may sleep at any statement, and its lease may be over at any moment. What the rules know of time is one bound:
 * whatever was announced by an intent can take effect only while `pending` counts it.
 */
byte fence = 0;         /* of the newest lease of the order */
bool intent = false;    /* the ledger: a write may be under way */
bool recorded = false;  /* the ledger: the order shows the payment */
byte pending = 0;       /* requests that may still take effect */
bool cancelled = false; /* the shop: by its owner */
bool paid = false;      /* the shop shows the payment */
byte shipments = 0;
bool refunding = false; /* the ledger: a rule or a person has decided to refund */
byte refunds = 0;       /* at the service */
bool keyKnown = true;   /* the service remembers the Idempotency-Key */

/* A shop that reads its order, works, and writes: nothing in its write depends on what happened meanwhile. */
proctype request() {
  bool payable;
  payable = !paid && !cancelled;
  if
  :: payable ->
    atomic {
      assert(!refunding); /* M6: nothing is shipped whose money goes back */
      paid = true;
      shipments++;
      assert(shipments <= 1) /* I1 */
    }
  :: else
  fi;
  atomic { pending--; }
}

/* One attempt to mark the order paid. Two workers make two each, so that a dead one is one that ends. */
proctype worker() {
  byte mine, tries = 0;
  bool seenPaid, seenCancelled, settled;
again:
  if
  :: tries == 2 -> goto done
  :: else -> tries++
  fi;
  /* A lease that is over is taken from a worker that still believes in it. It saves work; the fence is what protects. */
  atomic { fence++; mine = fence; }
  /* Read before the order: a write that takes effect between the two readings makes this worker wait. */
  atomic { settled = !intent || pending == 0; }
  seenPaid = paid;
  seenCancelled = cancelled;
  if
  :: seenPaid -> goto record
  :: seenCancelled -> goto judge
  :: else
  fi;
#ifndef NO_SETTLE
  /* Settle: after an intent, the next writer waits until nothing of it can take effect. */
  if
  :: !settled -> goto again
  :: else
  fi;
#endif
  /* The intent is committed under the fence, and counts from here on. */
  atomic {
    if
#ifndef NO_FENCE
    :: mine != fence || recorded || refunding -> goto again
#else
    :: recorded || refunding -> goto again
#endif
    :: else
    fi;
#ifndef NO_INTENT
    intent = true;
#endif
    pending++;
  }
  if
  :: true /* sends at once */
  :: true -> /* sleeps beyond the bound: what it has announced is over */
    atomic { pending--; }
#ifndef NO_START_BOUND
    goto again; /* and it sends nothing any more */
#else
    atomic { pending++; }
#endif
  fi;
  run request();
  if
  :: pending == 0 -> goto again /* answered: the next attempt reads the order */
  :: true -> goto done          /* killed, or without an answer */
  fi;
record:
  atomic { if :: mine == fence -> recorded = true; intent = false :: else fi }
  goto done;
judge:
  /* A cancelled order: the rule refunds, unless a write is under way. The decision is a commit under the payment's version. */
#ifndef NO_HOLD_BACK
  if
  :: !settled -> goto again
  :: else
  fi;
#endif
  atomic { if :: !recorded && !paid && (mine == fence) -> refunding = true :: else fi }
done:
  skip
}

/* A refund in doubt: asked at the same time by two clicks under one key, and sent again, because no answer arrives. */
proctype refund() {
  byte tries = 0;
  refunding;
  do
  :: tries == 2 -> break
  :: tries < 2 ->
    tries++;
    atomic {
      if
      :: keyKnown && refunds > 0 /* the service makes one refund for one key that it remembers */
      :: keyKnown && refunds == 0 -> refunds++
      :: !keyKnown ->
#ifdef NO_SEND_BY
        refunds++
#else
        break /* nothing is sent any more: its mark is looked for in the list, and a person decides what cannot be read */
#endif
      fi;
      assert(refunds <= 1) /* R1 */
    }
  od
}

/* A day passes: the service forgets the key. */
proctype day() {
  refunds > 0;
  keyKnown = false
}

active proctype owner() { cancelled = true }

init {
  atomic { run worker(); run worker(); run refund(); run refund(); run day(); }
}
