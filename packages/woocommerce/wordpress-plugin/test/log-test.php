<?php
/** What the plugin writes into WooCommerce's log, and what it leaves out. */

test(
	'A failed call to the checkout server is in WooCommerce\'s log with its code, without the link secret and the order key',
	static function (): void {
		$order = place_order();
		checkout_server_refuses( 409, 'refund_refused' );
		tillkit_call_checkout_server( 'refund', array( 'order' => '1042', 'key' => $order->get_order_key() ) );
		assert_same( 1, count( Stubs::$logged ) );
		assert_contains( 'warning tillkit: call_failed call=refund order=1042 seconds=', Stubs::$logged[0] );
		assert_contains( 'code=tillkit_refund_refused status=409', Stubs::$logged[0] );
		assert_not_contains( SECRET, Stubs::$logged[0] );
		assert_not_contains( $order->get_order_key(), Stubs::$logged[0] );
	}
);

test(
	'A call that was answered is logged only if the owner asked for it',
	static function (): void {
		checkout_server_answers( 200, array( 'time' => time() ) );
		tillkit_call_checkout_server( 'health', array() );
		assert_same( array(), Stubs::$logged );
		update_option( 'woocommerce_tillkit_settings', array( 'log' => 'yes' ) + get_option( 'woocommerce_tillkit_settings' ) );
		tillkit_call_checkout_server( 'health', array() );
		assert_contains( 'debug tillkit: call_answered call=health order=-', Stubs::$logged[0] );
	}
);

test(
	'An order that is marked paid is in the log with its payment',
	static function (): void {
		place_order();
		tillkit_answer_request( 'mark-paid', signed_request( 'mark-paid', json_encode( mark_paid_request() ) ) );
		assert_same( array( 'info tillkit: mark-paid outcome=recorded order=1042 payment=' . mark_paid_request()['payment'] . ' status=processing' ), Stubs::$logged );
	}
);

test(
	'A stranger who repeats a forged call writes one line a minute into the log',
	static function (): void {
		place_order();
		for ( $try = 0; $try < 5; ++$try ) {
			tillkit_answer_request( 'mark-paid', signed_request( 'mark-paid', json_encode( mark_paid_request() ), array( 'secret' => 'the secret of a stranger, 32 characters long' ) ) );
		}
		assert_same( array( 'warning tillkit: call_refused route=mark-paid code=tillkit_signature_invalid' ), Stubs::$logged );
	}
);

test(
	'A text that would begin a new line in the log stays on its line',
	static function (): void {
		tillkit_log( 'error', 'call_failed', array( 'code' => "one\ntwo é" ) );
		assert_same( array( 'error tillkit: call_failed code=one?two???' ), Stubs::$logged );
	}
);
