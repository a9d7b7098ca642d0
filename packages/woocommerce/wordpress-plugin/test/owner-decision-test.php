<?php
/** The owner changes an order's status on the order screen. */
function owner_sets( string $status ): void {
	Stubs::$is_admin = true;
	set_status_of_order( $status );
	Stubs::$is_admin = false;
}

function set_status_of_order( string $status ): void {
	$order = wc_get_order( 1042 );
	$order->set_status( $status );
	$order->save();
}

function remembered() {
	return tillkit_set_paid( wc_get_order( 1042 ) );
}

test(
	'Who set a held order to Processing is remembered by role and number, never by login or e-mail',
	static function (): void {
		place_order( array( 'status' => 'on-hold', 'meta' => array( '_tillkit_hold' => '1764000000' ) ) );
		owner_sets( 'processing' );
		same( array( 'shop_manager #7', 'processing' ), array( remembered()['by'], remembered()['status'] ) );
		holds( abs( remembered()['at'] - time() ) < 5, 'the time is now;' );
		says_not( 'awa@', json_encode( stored_order() ) );
		same( 'owner', tillkit_paid_by( wc_get_order( 1042 ) ) );
		same( false, isset( stored_order()['meta']['_tillkit_hold'] ) );
	}
);

test(
	'The companion is asked to look at once when an owner sets an order to paid, and nobody waits for it',
	static function (): void {
		place_order( array( 'status' => 'on-hold' ) );
		owner_sets( 'processing' );
		same( array( 'https://pay.example/woo/orders/check' ), array_column( Stubs::$calls, 'url' ) );
		same( false, Stubs::$calls[0]['blocking'] );
		same( array( 'order' => '1042', 'key' => 'wc_order_AbC123xyZ' ), json_decode( Stubs::$calls[0]['body'], true ) );
	}
);

test(
	'Whoever set the order to paid first is remembered when it is completed later',
	static function (): void {
		$first = '{"status":"processing","by":"administrator #1","at":1763999000}';
		place_order( array( 'status' => 'processing', 'date_paid' => 1763999000, 'meta' => array( '_tillkit_set_paid' => $first ) ) );
		owner_sets( 'completed' );
		same( array( 'by' => 'administrator #1', 'at' => 1763999000, 'status' => 'completed' ), remembered() );
	}
);

test(
	'A status that no person set is remembered as nobody\'s',
	static function (): void {
		place_order( array( 'status' => 'on-hold' ) );
		set_status_of_order( 'processing' );
		same( '', remembered()['by'] );
		same( 'unclear', tillkit_paid_by( wc_get_order( 1042 ) ) );
		Stubs::$capabilities = array( 'read' );
		place_order( array( 'status' => 'on-hold' ) );
		owner_sets( 'processing' );
		same( '', remembered()['by'] );
	}
);

test(
	'A person who sets the order to paid over the REST API is remembered as well',
	static function (): void {
		place_order( array( 'status' => 'on-hold' ) );
		Stubs::$is_rest = true;
		set_status_of_order( 'processing' );
		same( 'shop_manager #7', remembered()['by'] );
	}
);

foreach ( array( 'pending', 'on-hold', 'cancelled', 'refunded' ) as $status ) {
	test(
		"An order that the owner set to paid and then to $status is no longer set to paid",
		static function () use ( $status ): void {
			place_order( array( 'status' => 'on-hold', 'meta' => array( '_tillkit_hold' => '1764000000' ) ) );
			owner_sets( 'processing' );
			owner_sets( $status );
			same( null, remembered() );
			same( null, tillkit_paid_by( wc_get_order( 1042 ) ) );
		}
	);
}

test(
	'A payment that the companion records is not taken for the owner\'s own act',
	static function (): void {
		Stubs::$is_rest = true;
		place_order();
		tillkit_answer_settle( signed_request( 'settle', json_encode( settle_wish() ) ) );
		same( null, remembered() );
		same( array(), Stubs::$calls );
		$order = tillkit_refuse_late_write( wc_get_order( 1042 ), array( 'meta_data' => array( array( 'key' => '_tillkit_open_until', 'value' => '5' ) ) ) );
		same( true, tillkit_companion_writes() );
		tillkit_end_companion_write();
		same( false, tillkit_companion_writes() );
	}
);

test(
	'An order of another payment method is none of our business',
	static function (): void {
		place_order( array( 'payment_method' => 'bacs', 'status' => 'on-hold' ) );
		owner_sets( 'processing' );
		same( array(), stored_order()['meta'] );
		same( array(), Stubs::$calls );
	}
);

test(
	'Naming an accepted payment sends no e-mail, completes nothing again and says so in one note',
	static function (): void {
		place_order( array( 'status' => 'on-hold', 'meta' => array( '_tillkit_hold' => '1764000000' ) ) );
		owner_sets( 'processing' );
		same( array( 1042 ), Stubs::$mails );
		$read = tillkit_settle( tillkit_read_wish( settle_wish( array( 'already_paid' => true ) ) ), 1764000000 );
		same( array( 'recorded', true ), array( $read['outcome'], $read['already_paid'] ) );
		$order = stored_order();
		same( array( 'tx_01', '3 1764000000', 0 ), array( $order['transaction'], $order['meta']['_tillkit_fence'], $order['completed'] ) );
		same( array( 1042 ), Stubs::$mails );
		same( array( 'Tillkit payment 4b0e9a52-6a0e-4f6e-9d6b-0c8f4f0f9b11, transaction tx_01: accepted as you set the order to paid.' ), $order['notes'] );
		same( true, ( new Tillkit_Gateway() )->can_refund_order( wc_get_order( 1042 ) ) );
	}
);

test(
	'An order that gets back what its owner had set is not mailed about a second time',
	static function (): void {
		$meta = array( '_tillkit_hold' => '1763999950' );
		place_order( array( 'status' => 'on-hold', 'date_paid' => 1763999960, 'meta' => $meta ) );
		tillkit_settle( tillkit_read_wish( settle_wish( array( 'already_paid' => true ) ) ), 1764000000 );
		same( 'processing', stored_order()['status'] );
		same( array(), Stubs::$mails );
		place_order( array( 'status' => 'on-hold', 'date_paid' => 1763999960, 'date_completed' => 1763999970, 'meta' => $meta ) );
		tillkit_hold( tillkit_read_hold( array( 'order' => '1042', 'key' => 'wc_order_AbC123xyZ' ) ), 1764000000 );
		same( 'completed', stored_order()['status'] );
		same( array(), Stubs::$mails );
		place_order( array( 'status' => 'on-hold' ) );
		owner_sets( 'processing' );
		same( array( 1042 ), Stubs::$mails );
	}
);
