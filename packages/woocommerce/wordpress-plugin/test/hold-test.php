<?php
foreach ( vectors( 'hold' )['cases'] as $case ) {
	test(
		"Hold: {$case['title']}",
		static function () use ( $case ): void {
			$now = vectors( 'hold' )['now'];
			if ( null !== $case['order'] ) {
				$paid = $case['order']['paid'];
				unset( $case['order']['paid'] );
				place_order( array( 'date_paid' => $paid ? $now - 100 : null ) + $case['order'] );
			}
			$wish = tillkit_read_hold( $case['request'] );
			if ( isset( $case['answer']['code'] ) ) {
				same( null, $wish );
				return;
			}
			$answer = tillkit_as_companion(
				static function () use ( $wish, $now ): array {
					return tillkit_hold( $wish, $now );
				}
			);
			same( array( 'outcome' => $case['answer']['outcome'], 'order' => '1042', 'status' => $case['answer']['order_status'] ), $answer );
			if ( null !== $case['order'] && 'gone' !== $answer['outcome'] ) {
				same( $case['answer']['order_status'], stored_order()['status'] );
				same( $case['marked'], stored_order()['meta']['_tillkit_hold'] ?? null );
			}
			same( array(), Stubs::$mails );
		}
	);
}

test(
	'A signed hold call puts the order on hold, and is no decision of the owner',
	static function (): void {
		Stubs::$is_rest = true;
		place_order();
		$response = tillkit_answer_hold( signed_request( 'hold', '{"order":"1042","key":"wc_order_AbC123xyZ"}' ) );
		same( array( 200, 'held' ), array( $response->status, $response->data['outcome'] ) );
		same( array_keys( vectors( 'answers' )['hold'] ), array_keys( $response->data ) );
		same( 'on-hold', stored_order()['status'] );
		holds( '' !== stored_order()['meta']['_tillkit_hold'], 'the hold is marked;' );
		same( 401, tillkit_answer_hold( signed_request( 'settle', '{"order":"1042","key":"wc_order_AbC123xyZ"}' ) )->status );
	}
);
