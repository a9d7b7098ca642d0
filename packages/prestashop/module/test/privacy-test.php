<?php
/** The hooks of PrestaShop's module for personal data. */

/** An object of that module, which knows the id of a customer. */
final class Customer_Id {
	public function getValue(): int {
		return 7;
	}
}

/** How its versions name the customer who placed the order. */
const NAMED_CUSTOMERS = array( array( 'id' => 7, 'email' => 'awa@example.com' ), array( array( 'email' => 'awa@example.com' ) ), array( 'email' => 'awa@example.com' ) );

function export_of( array $params ): array {
	return json_decode( module()->hookActionExportGDPRData( $params ), true );
}

test(
	'A customer’s export has what the checkout server stores about their orders, however the customer is named',
	static function (): void {
		place_order();
		checkout_server_answers( array( 'export' => array( 200, array( 'order' => '1', 'payments' => array( '5 000 F CFA · recorded' ), 'messages' => array( '{"a":1}' ) ) ) ) );
		foreach ( array_merge( NAMED_CUSTOMERS, array( array( new Customer_Id() ) ) ) as $params ) {
			assert_same( array( 'Payment: 5 000 F CFA · recorded', 'Message of the payment service: {"a":1}' ), array_column( export_of( $params ), 'Payment' ) );
		}
		foreach ( array( array( 'id' => 8, 'email' => 'other@example.com' ), array( array( 'email' => '' ) ), array( array( 'phone' => '77 123 45 67' ) ), array() ) as $params ) {
			assert_same( array(), export_of( $params ) );
		}
	}
);

test(
	'An export that lacks something says so in its last row',
	static function (): void {
		place_order();
		checkout_server_answers( array( 'export' => array( 503, array( 'code' => 'tillkit_busy', 'message' => 'Later.' ) ) ) );
		assert_same( 1, count( export_of( array( 'id' => 7 ) ) ) );
		assert_contains( 'too long', tillkit_export_of_customer( array( 'id' => 7 ), time() - 61 )[0]['Payment'] );
	}
);

test(
	'An erasure empties what both ends store, and keeps what paid the order',
	static function (): void {
		$order = place_order();
		tillkit_start_payment( $order, time() );
		mark_paid();
		$asked = array();
		checkout_server_answers( array( 'erase' => static function ( array $body ) use ( &$asked ): array {
			$asked[] = $body['order'];
			return array( 200, array( 'order' => $body['order'], 'erased' => 1, 'unfinished' => 0 ) );
		} ) );
		module()->hookActionDeleteGDPRCustomer( array( new Customer_Id() ) );
		$erased = tillkit_fresh_order( 1 );
		assert_same( array( array( '1' ), '', '', 'payment-a' ), array( $asked, $erased->fact( 'return_url' ), $erased->fact( 'language' ), tillkit_paid_by( $erased ) ) );
		assert_same( array(), rows( "SELECT * FROM ps_tillkit_withheld WHERE mail LIKE '%awa%'" ) );
	}
);

test(
	'An erasure that must wait keeps the confirmation of a payment that may still arrive, and the order says why',
	static function (): void {
		$order = place_order();
		checkout_server_answers( array( 'erase' => array( 200, array( 'order' => '1', 'erased' => 0, 'unfinished' => 1 ) ) ) );
		module()->hookActionDeleteGDPRCustomer( array( array( 'email' => 'awa@example.com' ) ) );
		assert_contains( 'A payment is not final yet', implode( ' ', array_column( tillkit_notes( (int) $order->id() ), 'text' ) ) );
		assert_same( 1, count( rows( 'SELECT * FROM ps_tillkit_withheld' ) ) );
		checkout_server_answers( array( 'erase' => array( 200, array( 'order' => '1', 'erased' => 0, 'unfinished' => 0 ) ) ) );
		module()->hookActionDeleteGDPRCustomer( array( 'id' => 7 ) );
		assert_same( array(), rows( 'SELECT * FROM ps_tillkit_withheld' ), 'nobody paid, and nothing is kept;' );
	}
);

test(
	'An e-mail that was sent after the payment is not stored any longer',
	static function (): void {
		place_order();
		mark_paid();
		assert_same( array(), rows( 'SELECT * FROM ps_tillkit_withheld' ) );
	}
);
