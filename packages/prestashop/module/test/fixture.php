<?php
/** Helpers of the tests: an order that waits for its payment, the calls of the checkout server, and races between processes. */

/** The cart becomes an order without our locks, as most modules do it. */
function make_order(): void {
	module()->validateOrder( 1, tillkit_state( 'waiting' ) );
}

/** An order of 5000 F CFA that waits for its payment. @param string[] $totals One for each carrier. */
function place_order( array $totals = array( '5000.000000' ), int $voucher = 0 ): Tillkit_Prestashop_Order {
	Db::getInstance()->execute( "UPDATE ps_cart SET totals = '" . implode( ' ', $totals ) . "', id_voucher = $voucher WHERE id_cart = 1" );
	return tillkit_order_of_checkout( 1, module() );
}

/** What the checkout server sends to mark the order paid. */
function mark_paid_fields( array $change = array() ): array {
	$id = tillkit_order_ids_of_cart( 1 )[0];
	return $change + array(
		'order'       => (string) $id,
		'key'         => tillkit_fresh_order( $id )->key(),
		'amount'      => '5000.000000',
		'currency'    => 'XOF',
		'payment'     => 'payment-a',
		'transaction' => 'tx_a',
		'fence'       => 3,
	);
}

function mark_paid( array $change = array() ) {
	return tillkit_answer_order_write( 'mark-paid', mark_paid_fields( $change ), 1764000000 );
}

/** @param array|Tillkit_Error $answer */
function outcome_of( $answer ): string {
	return $answer instanceof Tillkit_Error ? $answer->code : $answer['outcome'];
}

/** A call of the checkout server about the order of the cart. */
function call_about_order( string $purpose, array $fields = array() ) {
	$order = tillkit_fresh_order( tillkit_order_ids_of_cart( 1 )[0] );
	return call_shop( $purpose, $fields + array( 'order' => $order->id(), 'key' => $order->key() ) );
}

/** A signed call, as it arrives at the shop. */
function call_shop( string $purpose, array $body, string $secret = LINK_SECRET ) {
	$bytes   = json_encode( (object) $body );
	$headers = tillkit_call_headers( $purpose, 'boutique', time(), $bytes, $secret );
	$values  = array( 'store' => $headers['X-Tillkit-Store'], 'time' => $headers['X-Tillkit-Time'], 'signature' => $headers['X-Tillkit-Signature'] );
	return tillkit_answer_call( $purpose, $values, $bytes, time() );
}

/** The owner changes the state on the order page. */
function owner_sets( int $state, int $order = 1 ): void {
	start_request();
	Context::getContext()->employee = (object) array( 'id' => 7 );
	( new Order( $order ) )->setCurrentState( $state );
	start_request();
	sign_in( 7 );
}

/** @return array<int,string> The templates of the e-mails that the shop has sent. */
function sent_mails(): array {
	return array_column( rows( 'SELECT template FROM mailbox' ), 'template' );
}

function state_of_order( int $order = 1 ): int {
	return (int) rows( "SELECT current_state FROM ps_orders WHERE id_order = $order" )[0]['current_state'];
}

/** @param array $answers Purpose => status and body. */
function checkout_server_answers( array $answers ): void {
	Web::$checkout_server = static function ( string $purpose, array $body ) use ( $answers ): array {
		$answer = $answers[ $purpose ] ?? array( 404, array( 'code' => 'tillkit_order_not_known', 'message' => 'Not known.' ) );
		return is_callable( $answer ) ? $answer( $body ) : $answer;
	};
}

/** @return array<int,array<string,mixed>> */
function rows( string $sql ): array {
	return Db::getInstance()->executeS( $sql, true, false );
}

/**
 * Starts one process for each action, opens the gate when all have arrived, and waits for them.
 *
 * @param string[] $actions Of worker.php.
 * @return string[] What each printed.
 */
function race( array $actions ): array {
	touch( Db::$folder . '/gate' );
	$gate = fopen( Db::$folder . '/gate', 'r' );
	flock( $gate, LOCK_EX );
	$running = array();
	foreach ( $actions as $action ) {
		$process   = proc_open( array( PHP_BINARY, __DIR__ . '/worker.php', Db::$folder, $action ), array( 1 => array( 'pipe', 'w' ), 2 => array( 'redirect', 1 ) ), $pipes );
		$running[] = array( $process, $pipes[1] );
	}
	foreach ( $running as list( , $output ) ) {
		$line = fgets( $output );
		if ( "ready\n" !== $line ) {
			throw new Exception( 'A worker did not start: ' . $line . stream_get_contents( $output ) );
		}
	}
	// The processes have inherited the open file, so closing it here would open nothing.
	flock( $gate, LOCK_UN );
	fclose( $gate );
	$printed = array();
	foreach ( $running as list( $process, $output ) ) {
		$printed[] = stream_get_contents( $output );
		proc_close( $process );
	}
	return $printed;
}
