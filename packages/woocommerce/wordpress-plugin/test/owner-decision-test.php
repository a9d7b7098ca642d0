<?php
/** An owner sets an order to paid without the service's payment: who did it is recorded on the order. */

/** Changes the status of the order as the owner on the order screen. */
function set_status_as_owner( string $status ): void {
	Stubs::$is_admin = true;
	set_order_status( $status );
	Stubs::$is_admin = false;
}

function set_order_status( string $status ): void {
	$order = wc_get_order( 1042 );
	$order->set_status( $status );
	$order->save();
}

function recorded_decision() {
	return tillkit_owner_decision( wc_get_order( 1042 ) );
}

test(
	'The person who sets a held order to Processing is recorded by role and id, not by login or e-mail',
	static function (): void {
		place_order( array( 'status' => 'on-hold', 'meta' => array( '_tillkit_hold' => '1764000000' ) ) );
		set_status_as_owner( 'processing' );
		assert_same( array( 'shop_manager #7', 'processing' ), array( recorded_decision()['by'], recorded_decision()['status'] ) );
		assert_true( abs( recorded_decision()['at'] - time() ) < 5, 'the time is now;' );
		assert_not_contains( 'awa@', json_encode( stored_order() ) );
		assert_same( 'owner', tillkit_paid_by( wc_get_order( 1042 ) ) );
		assert_same( false, isset( stored_order()['meta']['_tillkit_hold'] ) );
	}
);

test(
	'Setting an order to paid requests a check without waiting for its result',
	static function (): void {
		place_order( array( 'status' => 'on-hold' ) );
		set_status_as_owner( 'processing' );
		assert_same( array( 'https://pay.example/bridge/v1/check' ), array_column( Stubs::$calls, 'url' ) );
		assert_same( false, Stubs::$calls[0]['blocking'] );
		assert_same( array( 'order' => '1042', 'key' => 'wc_order_AbC123xyZ', 'site' => 'https://shop.example' ), json_decode( Stubs::$calls[0]['body'], true ) );
	}
);

test(
	'The person who set the order to paid stays recorded when the order is completed',
	static function (): void {
		$first = '{"status":"processing","by":"administrator #1","at":1763999000}';
		place_order( array( 'status' => 'processing', 'date_paid' => 1763999000, 'meta' => array( '_tillkit_set_paid' => $first ) ) );
		set_status_as_owner( 'completed' );
		assert_same( array( 'by' => 'administrator #1', 'at' => 1763999000, 'status' => 'completed' ), recorded_decision() );
	}
);

test(
	'A paid status that no person set is recorded without a person',
	static function (): void {
		place_order( array( 'status' => 'on-hold' ) );
		set_order_status( 'processing' );
		assert_same( '', recorded_decision()['by'] );
		assert_same( 'unclear', tillkit_paid_by( wc_get_order( 1042 ) ) );
		Stubs::$capabilities = array( 'read' );
		place_order( array( 'status' => 'on-hold' ) );
		set_status_as_owner( 'processing' );
		assert_same( '', recorded_decision()['by'] );
	}
);

test(
	'A person who sets the order to paid over the REST API is recorded',
	static function (): void {
		place_order( array( 'status' => 'on-hold' ) );
		Stubs::$is_rest = true;
		set_order_status( 'processing' );
		assert_same( 'shop_manager #7', recorded_decision()['by'] );
	}
);

foreach ( array( 'pending', 'on-hold', 'cancelled', 'refunded' ) as $status ) {
	test(
		"An order that the owner set to paid and then to $status is no longer set to paid",
		static function () use ( $status ): void {
			place_order( array( 'status' => 'on-hold', 'meta' => array( '_tillkit_hold' => '1764000000' ) ) );
			set_status_as_owner( 'processing' );
			set_status_as_owner( $status );
			assert_same( null, recorded_decision() );
			assert_same( null, tillkit_paid_by( wc_get_order( 1042 ) ) );
		}
	);
}

test(
	'A payment that the checkout server records is not a decision of the owner',
	static function (): void {
		Stubs::$is_rest = true;
		place_order();
		tillkit_answer_request( 'mark-paid', signed_request( 'mark-paid', json_encode( mark_paid_request() ) ) );
		assert_same( null, recorded_decision() );
		assert_same( array(), Stubs::$calls );
		$order = tillkit_refuse_stale_write( wc_get_order( 1042 ), array( 'meta_data' => array( array( 'key' => '_tillkit_open_until', 'value' => '5' ) ) ) );
		assert_same( true, tillkit_is_checkout_server_write() );
		tillkit_end_checkout_server_write();
		assert_same( false, tillkit_is_checkout_server_write() );
	}
);

test(
	'Status changes of orders with other payment methods are not recorded',
	static function (): void {
		place_order( array( 'payment_method' => 'bacs', 'status' => 'on-hold' ) );
		set_status_as_owner( 'processing' );
		assert_same( array(), stored_order()['meta'] );
		assert_same( array(), Stubs::$calls );
	}
);

test(
	'Recording an accepted payment sends no e-mail, does not complete the order again and adds one note',
	static function (): void {
		place_order( array( 'status' => 'on-hold', 'meta' => array( '_tillkit_hold' => '1764000000' ) ) );
		set_status_as_owner( 'processing' );
		assert_same( array( 1042 ), Stubs::$mails );
		$answer = tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', mark_paid_request( array( 'already_paid' => true ) ) ), 1764000000 );
		assert_same( array( 'recorded', true ), array( $answer['outcome'], $answer['already_paid'] ) );
		$order = stored_order();
		assert_same( array( 'tx_01', '3 1764000000 1042', 0 ), array( $order['transaction'], $order['meta']['_tillkit_fence'], $order['completed'] ) );
		assert_same( array( 1042 ), Stubs::$mails );
		assert_same( array( 'Tillkit payment 4b0e9a52-6a0e-4f6e-9d6b-0c8f4f0f9b11, transaction tx_01: accepted because you set the order to paid.' ), $order['notes'] );
		assert_same( true, ( new Tillkit_Gateway() )->can_refund_order( wc_get_order( 1042 ) ) );
	}
);

test(
	'Restoring the status of the owner sends no second e-mail',
	static function (): void {
		$meta = array( '_tillkit_hold' => '1763999950' );
		place_order( array( 'status' => 'on-hold', 'date_paid' => 1763999960, 'meta' => $meta ) );
		tillkit_mark_paid( tillkit_read_order_fields( 'mark-paid', mark_paid_request( array( 'already_paid' => true ) ) ), 1764000000 );
		assert_same( 'processing', stored_order()['status'] );
		assert_same( array(), Stubs::$mails );
		place_order( array( 'status' => 'on-hold', 'date_paid' => 1763999960, 'date_completed' => 1763999970, 'meta' => $meta ) );
		tillkit_hold( tillkit_read_order_fields( 'hold', array( 'order' => '1042', 'key' => 'wc_order_AbC123xyZ' ) ), 1764000000 );
		assert_same( 'completed', stored_order()['status'] );
		assert_same( array(), Stubs::$mails );
		place_order( array( 'status' => 'on-hold' ) );
		set_status_as_owner( 'processing' );
		assert_same( array( 1042 ), Stubs::$mails );
	}
);
