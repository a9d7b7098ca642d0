<?php
/** Requests that arrive at the same instant. Beside each the pattern that most modules have, which must fail in the same run. */

/** How often each race is run. More on the day of a release: TILLKIT_RACE_ROUNDS=200. */
function race_rounds(): int {
	return max( 1, (int) getenv( 'TILLKIT_RACE_ROUNDS' ) ?: 3 );
}

/** @param callable $round Runs in a new shop. Whether it went wrong. @return int How many rounds went wrong. */
function rounds_that_fail( callable $round ): int {
	$failed = 0;
	for ( $count = 0; $count < race_rounds(); ++$count ) {
		close_shop();
		open_shop();
		$failed += $round() ? 1 : 0;
	}
	return $failed;
}

test(
	'The shop alone makes several orders of one cart, and the module makes one, with one key',
	static function (): void {
		$naive = rounds_that_fail(
			static function (): bool {
				race( array_fill( 0, 4, 'order without lock' ) );
				return count( rows( 'SELECT * FROM ps_orders' ) ) > 1;
			}
		);
		assert_true( $naive > 0, 'the pattern without a lock fails;' );
		$ours = rounds_that_fail(
			static function (): bool {
				$answers = race( array_fill( 0, 4, 'order' ) );
				return 1 !== count( rows( 'SELECT * FROM ps_orders' ) ) || 1 !== count( array_unique( $answers ) );
			}
		);
		assert_same( 0, $ours );
	}
);

test(
	'The shop alone records a payment twice, and the module once, with one payment row of the transaction',
	static function (): void {
		$naive = rounds_that_fail(
			static function (): bool {
				place_order();
				race( array_fill( 0, 4, 'mark paid without lock' ) );
				return count( rows( 'SELECT * FROM ps_order_payment' ) ) > 1;
			}
		);
		assert_true( $naive > 0, 'the pattern without a lock fails;' );
		$ours = rounds_that_fail(
			static function (): bool {
				place_order();
				$answers = race( array_fill( 0, 4, 'mark paid' ) );
				sort( $answers );
				$payments = rows( 'SELECT amount, transaction_id FROM ps_order_payment' );
				return array( 'already', 'already', 'already', 'recorded' ) !== $answers || 1 !== count( $payments ) || 'tx_a' !== $payments[0]['transaction_id'];
			}
		);
		assert_same( 0, $ours );
	}
);

test(
	'Of two different payments that arrive at once one pays the order, and the other learns so',
	static function (): void {
		$failed = rounds_that_fail(
			static function (): bool {
				place_order();
				$answers = race( array( 'mark paid', 'mark paid by another' ) );
				sort( $answers );
				return array( 'other-payment', 'recorded' ) !== $answers || 1 !== count( rows( 'SELECT * FROM ps_order_payment' ) );
			}
		);
		assert_same( 0, $failed );
	}
);

test(
	'Of several calls that find the claim of a payment whose money went back, one pays the order with one payment, and an owner who cancels meanwhile is asked or was first',
	static function (): void {
		foreach ( array( 'claim', 'row', 'state' ) as $step ) {
			$failed = rounds_that_fail(
				static function () use ( $step ): bool {
					die_after( $step );
					$owner    = 'state' === $step ? 'mark paid by next' : 'owner cancels';
					$answers  = race( array( 'mark paid by next', 'mark paid by next', $owner ) );
					$sums     = array_filter( sums_of_rows() );
					$is_paid  = 2 === state_of_order() && array( 'tx_b' => 5000.0 ) === $sums && in_array( 'recorded', $answers, true ) && ! in_array( 'cancelled', $answers, true );
					$is_ended = 'state' !== $step && 6 === state_of_order() && array( 'not-payable', 'not-payable', 'cancelled' ) === $answers && ! isset( $sums['tx_b'] );
					return ! $is_paid && ! $is_ended;
				}
			);
			assert_same( 0, $failed, $step );
		}
	}
);

test(
	'An owner who accepts or cancels the order at the instant of its payment is asked to look again, or came first',
	static function (): void {
		foreach ( array( 'owner accepts', 'owner cancels' ) as $act ) {
			$failed = rounds_that_fail(
				static function () use ( $act ): bool {
					place_order();
					list( $payment, $owner ) = race( array( 'mark paid', $act ) );
					$order                   = rows( 'SELECT current_state, total_paid_real FROM ps_orders' )[0];
					$payments                = count( rows( 'SELECT * FROM ps_order_payment' ) );
					if ( 'recorded' === $payment ) {
						return 'refused' !== $owner || '2' !== (string) $order['current_state'] || 1 !== $payments || 5000.0 !== (float) $order['total_paid_real'];
					}
					// The owner was first: their state stays, and the payment waits for their decision.
					$expected = 'owner accepts' === $act ? array( 'other-payment', 'accepted', '2', 1 ) : array( 'not-payable', 'cancelled', '6', 0 );
					return array( $payment, $owner, (string) $order['current_state'], $payments ) !== $expected;
				}
			);
			assert_same( 0, $failed, $act );
		}
	}
);

test(
	'A payment that loses the lock in the slow hook of another module, while another call records it, changes nothing',
	static function (): void {
		place_order();
		$other                                  = array();
		Hook::$first['actionOrderStatusUpdate'] = static function () use ( &$other ): void {
			Db::getInstance()->connect_again();
			$other = race( array( 'mark paid' ) );
		};
		assert_same( array( 'tillkit_busy', 'already' ), array( outcome_of( mark_paid() ), outcome_of( mark_paid() ) ) );
		assert_same( array( 'recorded' ), $other );
		assert_same( array( 1, 1 ), array( count( rows( 'SELECT * FROM ps_order_payment' ) ), count( rows( 'SELECT * FROM ps_order_history WHERE id_order_state = 2' ) ) ) );
		assert_same( array( 'payment', 'order_conf' ), sent_mails() );
	}
);

test(
	'A payment and a refund whose lock the database has freed write nothing',
	static function (): void {
		$lose = static function ( callable $work ): string {
			$write = static function () use ( $work ): string {
				Db::getInstance()->connect_again();
				try {
					return outcome_of( $work() );
				} catch ( Tillkit_Stale_Write $stale ) {
					return 'stale';
				}
			};
			return tillkit_with_lock( 'order 1', 0, $write );
		};
		place_order();
		$fields = tillkit_read_order_fields( 'mark-paid', mark_paid_fields() );
		assert_same( 'stale', $lose( static function () use ( $fields ) { return tillkit_mark_paid( $fields, 1764000000 ); } ) );
		assert_same( array(), rows( 'SELECT * FROM ps_order_payment' ) );
		assert_same( 'recorded', outcome_of( mark_paid() ) );
		$refund = array( 'refund' => 'rf_01', 'refund_key' => 'tillkit:1', 'amount' => '500', 'reason' => '' ) + $fields;
		assert_same( 'stale', $lose( static function () use ( $refund ) { return tillkit_record_refund( $refund ); } ) );
		assert_same( array(), rows( 'SELECT * FROM ps_tillkit_refund' ) );
	}
);
