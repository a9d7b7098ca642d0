<?php
/** A lock that was lost between the reading of an order and its change: the database freed it, or it expired while PHP was frozen. */

/** Makes another plugin slow at that hook, once. Meanwhile this process loses its locks, and the other one works. */
function lose_lock_at( string $hook, callable $meanwhile ): void {
	$lose = static function () use ( $hook, $meanwhile, &$lose ): void {
		remove_action( $hook, $lose );
		$own = $GLOBALS['wpdb'];
		$own->connect_again();
		foreach ( array_keys( Shop_State::read()['options'] ) as $name ) {
			if ( 0 === strpos( $name, 'tillkit_lock_' ) ) {
				update_option( $name, substr_replace( (string) get_option( $name ), (string) ( time() - 121 ), 0, 10 ) );
			}
		}
		// The stub of the database stands for one connection, and the locks are those of one process.
		list( $GLOBALS['wpdb'], $locks ) = array( new Stub_Database(), $GLOBALS['tillkit_locks'] ?? array() );
		$meanwhile();
		list( $GLOBALS['wpdb'], $GLOBALS['tillkit_locks'] ) = array( $own, $locks );
	};
	add_action( $hook, $lose );
}

/** The answer to a call of the checkout server: its outcome, or the code of its refusal. */
function outcome_of_call( string $purpose, array $body ): string {
	$data = tillkit_answer_request( $purpose, signed_request( $purpose, json_encode( $body ) ) )->data;
	return $data['outcome'] ?? $data['code'];
}

function pay( string $payment ): string {
	return outcome_of_call( 'mark-paid', mark_paid_request( array( 'payment' => $payment ) ) );
}

foreach ( array( 'mysql' => 'with its connection', 'none' => 'because it expired' ) as $locks => $words ) {
	foreach ( array( 'woocommerce_before_order_object_save', 'woocommerce_pre_payment_complete' ) as $hook ) {
		test(
			"A payment that loses the lock of its order $words at $hook, while another pays, changes nothing",
			static function () use ( $locks, $hook ): void {
				Stubs::$locks = $locks;
				place_order();
				$other = '';
				lose_lock_at(
					$hook,
					static function () use ( &$other ): void {
						$other = pay( 'payment-b' );
					}
				);
				assert_same( array( 'tillkit_busy', 'recorded' ), array( pay( 'payment-a' ), $other ) );
				assert_same( array( 1, 'payment-b', 1 ), array( stored_order()['completed'], stored_order()['meta']['_tillkit_payment_id'], count( stored_order()['notes'] ) ) );
				assert_same( array( 'other-payment', 'already' ), array( pay( 'payment-a' ), pay( 'payment-b' ) ), 'later;' );
			}
		);
	}

	test(
		"A payment that loses the lock of its order $words while nobody else writes is recorded by its next call",
		static function () use ( $locks ): void {
			Stubs::$locks = $locks;
			place_order();
			lose_lock_at( 'woocommerce_pre_payment_complete', static function (): void {} );
			assert_same( array( 'tillkit_busy', 'recorded', 'already' ), array( pay( 'payment-a' ), pay( 'payment-a' ), pay( 'payment-a' ) ) );
			assert_same( 1, stored_order()['completed'] );
		}
	);

	test(
		"A refund that loses the lock of its order $words is recorded once",
		static function () use ( $locks ): void {
			Stubs::$locks = $locks;
			place_paid_order();
			$other = '';
			lose_lock_at(
				'woocommerce_create_refund',
				static function () use ( &$other ): void {
					$other = outcome_of_call( 'record-refund', record_refund_request() );
				}
			);
			assert_same( array( 'tillkit_busy', 'recorded' ), array( outcome_of_call( 'record-refund', record_refund_request() ), $other ) );
			assert_same( array( 1, 'already' ), array( count( recorded_refunds() ), outcome_of_call( 'record-refund', record_refund_request() ) ) );
		}
	);

	test(
		"A hold or a declined payment that loses the lock of its order $words does not take a paid status away",
		static function () use ( $locks ): void {
			foreach ( array( 'hold', 'declined' ) as $act ) {
				Stubs::$locks = $locks;
				place_order();
				lose_lock_at(
					'woocommerce_before_order_object_save',
					static function (): void {
						pay( 'payment-b' );
					}
				);
				if ( 'hold' === $act ) {
					assert_same( 'tillkit_busy', outcome_of_call( 'hold', array( 'order' => '1042', 'key' => 'wc_order_AbC123xyZ' ) ) );
				} else {
					tillkit_set_to_failed( wc_get_order( 1042 ), 'declined' );
				}
				assert_same( array( $act, 'processing' ), array( $act, stored_order()['status'] ) );
			}
		}
	);
}

test(
	'An order that its owner cancels while PHP is frozen with its lock is not marked paid',
	static function (): void {
		foreach ( array( 'woocommerce_before_order_object_save', 'woocommerce_pre_payment_complete' ) as $hook ) {
			place_order();
			$cancel = static function () use ( $hook, &$cancel ): void {
				remove_action( $hook, $cancel );
				$order = wc_get_order( 1042 );
				$order->set_status( 'cancelled' );
				$order->save();
			};
			add_action( $hook, $cancel );
			assert_same( array( 'tillkit_busy', 'not-payable' ), array( pay( 'payment-a' ), pay( 'payment-a' ) ) );
			assert_same( array( 'cancelled', 0 ), array( stored_order()['status'], stored_order()['completed'] ) );
		}
	}
);

test(
	'A plugin that saves the order again for its new status does not end the payment',
	static function (): void {
		place_order();
		$complete = static function ( $id, $order ) use ( &$complete ): void {
			remove_action( 'woocommerce_order_status_processing', $complete );
			$order->set_status( 'completed' );
			$order->save();
		};
		add_action( 'woocommerce_order_status_processing', $complete, 10, 2 );
		assert_same( array( 'recorded', 'already' ), array( pay( 'payment-a' ), pay( 'payment-a' ) ) );
		assert_same( array( 'completed', 1 ), array( stored_order()['status'], stored_order()['completed'] ) );
	}
);

test(
	'A lock with a name that the database cannot show as held is a row instead',
	static function (): void {
		Stubs::$is_pooled = true;
		$rows             = static function (): int {
			return count( array_filter( array_keys( Shop_State::read()['options'] ), static function ( string $name ): bool { return 0 === strpos( $name, 'tillkit_lock_' ); } ) );
		};
		assert_same( array( 1, 0 ), array( tillkit_with_lock( '1042', 0, $rows ), $rows() ) );
	}
);

test(
	'A row lock begins anew when its holder asks, right before a write, whether the lock is still held',
	static function (): void {
		Stubs::$locks = 'none';
		$tokens       = tillkit_with_lock(
			'1042',
			0,
			static function (): array {
				$token = get_option( 'tillkit_lock_1042' );
				return array( tillkit_has_lost_lock( '1042' ), get_option( 'tillkit_lock_1042' ) === $token );
			}
		);
		assert_same( array( array( false, false ), false ), array( $tokens, get_option( 'tillkit_lock_1042' ) ) );
	}
);
